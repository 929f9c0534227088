package main

import (
	"context"
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// shares prints for each preset how many mutants of the files no C text says,
// and how many change code that the compiler made.
func shares(ctx context.Context, tools *clang.Toolchain, files []string, out io.Writer) error {
	type unit struct {
		file   string
		text   []byte
		source *csource.File
	}
	var units []unit
	for _, file := range files {
		text, err := tools.Compile(ctx, file, nil)
		if err != nil {
			return err
		}
		source, err := csource.Parse(file, nil)
		if err != nil {
			return err
		}
		units = append(units, unit{file, text, source})
	}
	fmt.Fprintln(out, "| preset | mutants | in the IR alone | of the compiler's code |\n|---|---|---|---|")
	for _, preset := range rule.Presets() {
		set := preset.Set()
		mutants, irOnly, artefacts := 0, 0, 0
		for _, u := range units {
			m, err := ir.Parse(u.file, u.text)
			if err != nil {
				return err
			}
			r := operator.Generate(m, operator.Options{Rules: set, Source: u.source})
			for _, f := range r.Failures {
				fmt.Fprintf(out, "failed: %s:%d: %s: %s\n", f.Function, f.Line, f.Rule, f.Reason)
			}
			mutants += len(r.Mutants)
			for _, one := range r.Mutants {
				if one.IROnly {
					irOnly++
				}
				if one.Artefact {
					artefacts++
				}
			}
		}
		percent := func(n int) float64 { return 100 * float64(n) / float64(max(mutants, 1)) }
		fmt.Fprintf(out, "| %s | %d | %.1f%% | %.1f%% |\n", set.Name, mutants, percent(irOnly), percent(artefacts))
	}
	return nil
}
