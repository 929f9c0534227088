package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/report"
)

// overview writes the files of the overview that are asked for, and prints it where it is,
// or where nothing else is.
func (o *reportOptions) overview(alone bool, stdout io.Writer) error {
	made, err := o.madeOverview()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	if o.Graph != "" {
		if err := o.writeFile(o.Graph, made.Subsumption.WriteGraph, &said); err != nil {
			return err
		}
	}
	if o.Matrices != "" {
		if err := o.writeMatrices(made, &said); err != nil {
			return err
		}
	}
	switch {
	case o.JSON:
		return writeJSON(stdout, made)
	case said.Len() == 0 && alone:
		if err := made.WriteText(&said); err != nil {
			return err
		}
		fmt.Fprintf(&said, "\nAll of it, with every name: winnow report --json %s\nWhich mutants stand for which, drawn: winnow report --graph FILE.dot %[1]s\n", o.Run)
		if made.Subsumption.Undecided > 0 {
			fmt.Fprintln(&said, "Run all tests on every mutant, so that none is left out: winnow run --matrix")
		}
	}
	return writeResult(stdout, said.Bytes())
}

// madeOverview reads what the overview is of.
func (o *reportOptions) madeOverview() (*report.Overview, error) {
	s, err := o.measured()
	if err != nil {
		return nil, err
	}
	made, err := report.NewOverview(s)
	if err != nil {
		return nil, o.noRun(err)
	}
	return made, nil
}

// coverage is what the page says of criteria.
func (o *reportOptions) coverage() ([]report.Coverage, error) {
	s, err := o.measured()
	if err != nil {
		return nil, err
	}
	made, _, err := report.CoverageOfRun(s)
	if err != nil {
		return nil, o.noRun(err)
	}
	return made, nil
}

// measured reads the tables that criteria are in.
func (o *reportOptions) measured() (*dataset.Subject, error) {
	run, err := oneRun(o.Run, o.Program)
	if err != nil {
		return nil, err
	}
	s, err := run.Load(present(run, dataset.MutantsFile, dataset.KillsFile, dataset.BranchesFile, dataset.CriteriaFile)...)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	return s, nil
}

func (o *reportOptions) noRun(err error) error {
	return exit.New(exit.Input, fmt.Errorf("%s: %w", o.Run, err), "name the folder that winnow run wrote (--out)")
}

// writeFile writes a file whole or not at all, and says so.
func (o *reportOptions) writeFile(path string, write func(io.Writer) error, said io.Writer) error {
	out := outputOptions{Out: path, Force: o.Force}
	if err := out.checkFile(); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	if err := atomicfile.Write(path, text.Bytes()); err != nil {
		return exit.New(exit.System, err, "")
	}
	fmt.Fprintf(said, "wrote %s\n", path)
	return nil
}

// writeMatrices writes a file a criterion and tool, e.g. line-gcov.txt.
func (o *reportOptions) writeMatrices(made *report.Overview, said io.Writer) error {
	if err := atomicfile.MakeFolder(o.Matrices); err != nil {
		return exit.New(exit.System, err, "")
	}
	for _, m := range made.Matrices() {
		name := strings.ReplaceAll(m.Criterion, " ", "-") + "-" + m.Tool + ".txt"
		if err := o.writeFile(filepath.Join(o.Matrices, name), m.WriteText, said); err != nil {
			return err
		}
	}
	return nil
}
