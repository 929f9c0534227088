package tce_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// TestVerdictsAgreeWithOneOptRunAMutant compares Decide with its slow twin, in
// which a mutant's whole module is made by schemata.Apply and optimised on its
// own, and whole modules are compared as LLVM prints them without names.
func TestVerdictsAgreeWithOneOptRunAMutant(t *testing.T) {
	type try struct{ file, passes string }
	for _, try := range deep.Sample(t, 3, []try{
		{"testdata/trivial.c", "default"}, {"../../examples/bst/bst.c", "default"},
		{"testdata/trivial.c", "riener"}, {"../../examples/bst/bst.c", "riener"},
		{"testdata/trivial.c", "mart"}, {"../../examples/uncomment/uncomment.c", "mart"},
		{"../../examples/uncomment/uncomment.c", "nowrap"},
	}) {
		t.Run(filepath.Base(try.file)+" "+try.passes, func(t *testing.T) {
			t.Parallel()
			p, passes := load(t, try.file), passList(t, try.passes)
			verdicts := p.decide(t, tce.Options{Passes: passes})
			chosen := choose(verdicts)
			texts := p.alone(t, passes, chosen)
			equal := 0
			for i, a := range chosen {
				for k, b := range chosen[:i] {
					if b > 0 && a > 0 && p.mutants[a-1].Function != p.mutants[b-1].Function {
						continue // the other function is the original's in both
					}
					same := class(verdicts, a) == class(verdicts, b)
					if twins := texts[i] == texts[k]; twins != same {
						t.Errorf("mutants %d and %d: equal %v, but alone %v", b, a, same, twins)
					}
					if same {
						equal++
					}
				}
			}
			if equal < 4 {
				t.Errorf("only %d equal pairs: the sample shows too little", equal)
			}
		})
	}
}

// choose draws mutants that equal something, what they equal, any others, and
// 0, the original.
func choose(verdicts []equiv.Verdict) []int32 {
	rng := rand.New(rand.NewPCG(1, uint64(len(verdicts))))
	chosen := []int32{0}
	equal, others := 0, 0
	for _, i := range rng.Perm(len(verdicts)) {
		switch v := verdicts[i]; {
		case v.Kind != equiv.Unknown && equal < 7:
			equal++
			chosen = append(chosen, v.Mutant, v.Of)
		case v.Kind == equiv.Unknown && others < 5:
			others++
			chosen = append(chosen, v.Mutant)
		}
	}
	slices.Sort(chosen)
	return slices.Compact(chosen)
}

// class is the selector of the first mutant that a mutant equals.
func class(verdicts []equiv.Verdict, selector int32) int32 {
	if selector == 0 {
		return 0
	}
	if v := verdicts[selector-1]; v.Kind != equiv.Unknown {
		return v.Of
	}
	return selector
}

// alone optimises the chosen mutants, one opt process each.
func (p *program) alone(t *testing.T, passes tce.PassList, chosen []int32) []string {
	t.Helper()
	tools := toolchain(t)
	texts, err := parallel.Map(context.Background(), 2, chosen, func(ctx context.Context, _ int, k int32) (string, error) {
		return p.optimised(ctx, tools, passes, k)
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func (p *program) optimised(ctx context.Context, tools *clang.Toolchain, passes tce.PassList, selector int32) (string, error) {
	module, made, err := p.fresh()
	if err != nil {
		return "", err
	}
	if selector > 0 {
		if err := schemata.Apply(module, &made.Mutants[selector-1]); err != nil {
			return "", err
		}
	}
	text := module.String()
	if passes.Trust < tce.TrustEverything {
		if text, err = tce.ModuleText(module, passes); err != nil {
			return "", err
		}
	}
	out, err := tools.Optimize(ctx, p.file, []byte(withoutDebug(text)), passes.Passes()+",strip", passes.Flags...)
	return withoutLeftOver(predecessors.ReplaceAllString(string(out), "")), err
}

// withoutLeftOver is a module's text without declarations: a pass may have called an intrinsic
// that a later one did without, and only what is called counts. The numbers of attributes go by
// all declarations: their text takes their place.
func withoutLeftOver(text string) string {
	groups := map[string]string{}
	for _, m := range attributeGroup.FindAllStringSubmatch(text, -1) {
		groups[m[1]] = m[2]
	}
	text = declaration.ReplaceAllString(attributeGroup.ReplaceAllString(text, ""), "")
	return attributeNumber.ReplaceAllStringFunc(text, func(number string) string { return groups[number] })
}

// withoutDebug is a module's text without its calls of debug intrinsics and
// without metadata.
func withoutDebug(text string) string {
	return metadataOf.ReplaceAllString(debugLine.ReplaceAllString(text, ""), "$2")
}

var (
	attributeGroup  = regexp.MustCompile(`(?m)^attributes (#[0-9]+) = (.*)\n`)
	attributeNumber = regexp.MustCompile(`#[0-9]+`)
	declaration     = regexp.MustCompile(`(?m)^(; Function Attrs:.*\n)?declare .*\n|^\n`)

	predecessors = regexp.MustCompile(` *; preds = .*`)
	debugLine    = regexp.MustCompile(`(?m)^\s*call void @llvm\.dbg\..*\n|^![^\n]*\n`)
	metadataOf   = regexp.MustCompile(`(?m)(,? ![a-zA-Z.]+ ![0-9]+)+( \{)?$`)
)
