package features_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/golden"
)

func TestTheManualOfFeaturesIsWrittenFromTheCode(t *testing.T) {
	golden.Check(t, "../docs/features.md", manual())
}

func manual() []byte {
	var out bytes.Buffer
	schema := features.Schema()
	fmt.Fprintf(&out, `# Features

What winnow knows of a mutant without running it: %d numbers, the columns of
features.parquet ([format](formats/features.md)). Written by `+"`make golden`"+` from
the families of package features.

A model reads columns by name, and keeps a hash of the definitions (type, unit,
meaning) of those that it reads: columns can be added, and a column that is gone or
means something else is refused.

*FaRM n* is feature n of table 6.1 of the dissertation. Columns depend on the mutant and
its function alone, but for those marked with †, which depend as well on how the source is
laid out in *lines*, on the *order* of functions, on the *others* and their mutants, whatever
they are, on the functions that theirs *calls* or that lead to it, on the *history* that version
control has, or on the *tests*. Columns without a unit are 0 or 1. Where a name ends
with an asterisk, there is one column for each fragment of
[mutant/fragment.go](../mutant/fragment.go), kind of expression of
[analysis/expr](../analysis/expr/kind.go), kind of block of
[analysis/block](../analysis/block/kind.go), or kind or class of C expression, statement,
type or literal of [csource](../csource/kind.go) and [features](../features/syntax.go).
`, len(schema)-1)
	for _, f := range features.All() {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n| column | meaning | unit | source |\n|---|---|---|---|\n", f.Name, f.Doc)
		last := ""
		for _, c := range f.Columns {
			name, doc := c.Name, c.Doc
			for _, list := range []string{"matcher_", "replacer_", "parent_is_", "expression_is_", "block_", "c_is_", "c_in_", "c_statement_", "c_type_", "c_literal_"} {
				if at := strings.Index(name, list); at >= 0 {
					name = name[:at+len(list)] + "*"
					doc, _, _ = strings.Cut(doc, ":")
				}
			}
			if name == last {
				continue
			}
			last = name
			if c.Beyond != 0 {
				doc += fmt.Sprintf(" †(%v)", c.Beyond)
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", name, doc, c.Unit, c.Source)
		}
	}
	return out.Bytes()
}

func TestEveryFamilyAndColumnIsDescribedOnce(t *testing.T) {
	if err := features.Validate(features.All()); err != nil {
		t.Error(err)
	}
	if err := features.Schema().Validate(); err != nil {
		t.Error(err)
	}
	good := features.All()
	for name, spoil := range map[string]func([]features.Family){
		"a family twice":             func(f []features.Family) { f[1] = f[0] },
		"a column twice":             func(f []features.Family) { f[0].Columns = append(f[0].Columns, f[1].Columns[0]) },
		"a column called id":         func(f []features.Family) { f[0].Columns[0].Name = "id" },
		"a column without a meaning": func(f []features.Family) { f[0].Columns[0].Doc = "" },
		"a column without a source":  func(f []features.Family) { f[0].Columns[0].Source = "" },
		"a family without columns":   func(f []features.Family) { f[0].Columns = nil },
		"a family that does nothing": func(f []features.Family) { f[0].PerSite, f[0].PerMutant = nil, nil },
		"a family without a name":    func(f []features.Family) { f[0].Name = "" },
	} {
		bad := append([]features.Family(nil), good...)
		bad[0].Columns = append([]features.Column(nil), bad[0].Columns...)
		spoil(bad)
		if features.Validate(bad) == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
