package export

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/winnow-mutants/winnow/report"
)

// TestItemsByNumberAreWrittenAsAMap compares the writer with its slow twin,
// encoding/json on a map of all items.
func TestItemsByNumberAreWrittenAsAMap(t *testing.T) {
	for _, n := range []int{0, 1, 2, 25, 120} {
		var items []report.MartMutant
		all := map[string]report.MartMutant{}
		for i := range n {
			m := report.MartMutant{Type: "a<\"b\">", FuncName: "f", IRPosInFunc: []int{}, SrcLoc: strconv.Itoa(i)}
			if i%3 == 0 {
				m.IRPosInFunc = append(m.IRPosInFunc, i, i+1)
			}
			items = append(items, m)
			all[strconv.Itoa(7+i)] = m
		}
		want, err := json.MarshalIndent(all, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "items.json")
		if err := writeNumbered(path, 7, items, func(m report.MartMutant) any { return m }); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != string(want)+"\n" {
			t.Errorf("%d items: %v: %s, want %s", n, err, got, want)
		}
	}
}
