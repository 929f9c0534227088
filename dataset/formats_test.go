package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

var formats = filepath.Join("..", "docs", "formats")

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(formats, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const columnsHeader = "| column | type | unit | meaning |"

// withColumns returns the document with its table of columns replaced by one
// made from the schema.
func withColumns(t *testing.T, text string, schema table.Schema) string {
	t.Helper()
	before, after, ok := strings.Cut(text, columnsHeader+"\n")
	if !ok {
		t.Fatal("the document has no table of columns")
	}
	for strings.HasPrefix(after, "|") {
		_, after, _ = strings.Cut(after, "\n")
	}
	var rows strings.Builder
	rows.WriteString(columnsHeader + "\n|---|---|---|---|\n")
	for _, c := range schema {
		fmt.Fprintf(&rows, "| `%s` | %v | %s | %s |\n", c.Name, c.Type, c.Unit, c.Doc)
	}
	return before + rows.String() + after
}

func TestTheDocumentsShowTheColumnsOfTheCode(t *testing.T) {
	for name, schema := range map[string]table.Schema{
		"mutants.md":  MutantsSchema(),
		"removed.md":  RemovedSchema(),
		"proofs.md":   ProofsSchema(),
		"kill.md":     kill.Schema(),
		"faults.md":   fault.Schema(),
		"cover.md":    cover.Schema(),
		"criteria.md": criterion.Schema(),
		"probe.md":    ProbeSchema(),
		"ranking.md":  RankingSchema(),
		"sources.md":  SourcesSchema(),
		"edits.md":    EditsSchema(),
	} {
		t.Run(name, func(t *testing.T) {
			if err := schema.Validate(); err != nil {
				t.Fatal(err)
			}
			for _, c := range schema {
				if c.Doc == "" {
					t.Errorf("column %s is not documented", c.Name)
				}
			}
			golden.Check(t, filepath.Join(formats, name), []byte(withColumns(t, document(t, name), schema)))
		})
	}
}

func TestTheDocumentOfKillsNamesEveryCauseInOrder(t *testing.T) {
	_, list, _ := strings.Cut(document(t, "kill.md"), "| cause | verdict | meaning |")
	for _, c := range matrix.Causes() {
		_, rest, ok := strings.Cut(list, "| `"+c.String()+"` |")
		if !ok {
			t.Errorf("cause %s is missing or out of order", c)
			continue
		}
		list = rest
	}
}

func TestTheDocumentOfTheManifestNamesEveryField(t *testing.T) {
	var want []string
	for prefix, typ := range map[string]reflect.Type{"": reflect.TypeFor[Manifest](), "stages[].": reflect.TypeFor[Stage](), "files{}.": reflect.TypeFor[File]()} {
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			want = append(want, prefix+name)
		}
	}
	text := document(t, "manifest.md")
	for _, field := range want {
		if !strings.Contains(text, "| `"+field+"` |") {
			t.Errorf("field %s is not documented", field)
		}
	}
	if got := strings.Count(text, "\n| `"); got != len(want) {
		t.Errorf("the document has %d fields, the code %d", got, len(want))
	}
}

func TestTheListOfFormatsNamesEveryFileOfARunFolder(t *testing.T) {
	text := document(t, "README.md")
	for _, name := range append([]string{ManifestFile}, tableFiles...) {
		if !strings.Contains(text, "| ["+name+"](") {
			t.Errorf("%s is missing", name)
		}
	}
}
