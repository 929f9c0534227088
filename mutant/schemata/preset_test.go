package schemata_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// TestEveryPresetGivesAWellFormedMetaMutant takes the programs of this package
// and two of the examples; the others are made by the tests of package examples.
func TestEveryPresetGivesAWellFormedMetaMutant(t *testing.T) {
	for _, file := range append(programs(t), "../../examples/bst/bst.c", "../../examples/justify/justify.c") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, source := compile(t, file), syntax(t, file)
			sets := []string{"default"}
			if strings.HasSuffix(file, "justify.c") {
				sets = []string{"mart816"}
			}
			if strings.HasPrefix(file, "testdata") { // the default's are in another test
				sets = []string{"mart858", "riener,e-selective,CRCR,OAAA,OBBN,OCNG,SSDL"}
			}
			for _, set := range sets {
				rules, err := rule.Lookup(set)
				if err != nil {
					t.Fatal(err)
				}
				m := parse(t, text)
				r := operator.Generate(m, operator.Options{Source: source, Rules: rules})
				for _, f := range r.Failures {
					t.Errorf("%s: %+v", set, f)
				}
				schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
				verify(t, file, m.String())
			}
		})
	}
}
