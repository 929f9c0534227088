package architecture

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file tests the test in architecture_test.go: a small house that is in
// order, and one change at a time that is not.

const smallHouse = `
## Floors
| floor | folder | may import | what it is |
|---|---|---|---|
| 3 | cmd | * | |
| 2 | features | matrix ir | |
| 1 | ir | | |
| 1 | matrix | | |
| 0 | internal | | |

## Closed doors
| from | never reaches |
|---|---|
| features | matrix/kill |
`

func smallImports() importGraph {
	return importGraph{
		"cmd/winnow":    {"features", "ir/clang", "matrix/kill", "internal/exit"},
		"features":      {"ir", "matrix/cover", "internal/stream"},
		"ir":            nil,
		"ir/clang":      {"ir"},
		"matrix/cover":  {"internal/stream"},
		"matrix/kill":   {"matrix/cover"},
		"internal/exit": nil, "internal/stream": nil,
	}
}

func TestArchitectureCheckAcceptsAHouseInOrder(t *testing.T) {
	p, err := parsePlan(smallHouse)
	if err != nil {
		t.Fatal(err)
	}
	if got := violations(p, smallImports()); len(got) != 0 {
		t.Errorf("violations = %q, want none", got)
	}
}

func TestArchitectureCheckNamesEachInjectedFault(t *testing.T) {
	add := func(from, to string) func(importGraph) {
		return func(g importGraph) { g[from] = append(g[from], to) }
	}
	tests := []struct {
		name   string
		row    string            // added to the floors
		inject func(importGraph) // applied to the imports
		want   string
	}{
		{"an import upwards", "", add("ir", "features"), "ir imports features: floor 1 may not import floor 2"},
		{"an import on the same floor", "", add("ir", "matrix/cover"), "ir imports matrix/cover: floor 1 may not import floor 1"},
		{"an upward import by internal", "", add("internal/exit", "ir"), "internal/exit imports ir: floor 0 may not import floor 1"},
		{"an import that the row does not name", "| 2 | predict | ir | |\n",
			func(g importGraph) { g["predict"] = []string{"matrix/cover"} }, "predict imports matrix/cover: its row does not name matrix"},
		{"a closed door, directly", "", add("features", "matrix/kill"), "features reaches matrix/kill, a closed door: features → matrix/kill"},
		{"a closed door, by way of another package", "", add("matrix/cover", "matrix/kill"),
			"features reaches matrix/kill, a closed door: features → matrix/cover → matrix/kill"},
		{"a folder without a row", "", add("newroom", "ir"), "folder newroom has no row in ARCHITECTURE.md"},
		{"a row without a folder", "| 1 | gone | | |\n", func(importGraph) {}, "ARCHITECTURE.md has a row for gone, which holds no Go package"},
		{"a door that guards nothing", "", func(g importGraph) { delete(g, "matrix/kill"); g["cmd/winnow"] = nil },
			"closed doors: features names matrix/kill, which holds no Go package"},
		{"a row that names an unknown folder", "| 2 | predict | irr | |\n", add("predict", "ir"), "the row of predict names irr, which has no row"},
		{"a row that names a higher floor", "| 1 | predict | features | |\n", add("predict", "internal/exit"),
			"the row of predict names features: floor 1 may not import floor 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := parsePlan(strings.Replace(smallHouse, "| 0 |", tt.row+"| 0 |", 1))
			if err != nil {
				t.Fatal(err)
			}
			g := smallImports()
			tt.inject(g)
			if got := violations(p, g); !slices.Contains(got, tt.want) {
				t.Errorf("violations = %q\nwant among them %q", got, tt.want)
			}
		})
	}
}

func TestArchitectureTablesWithMistakesAreRefused(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"no floors", "## Floors", "## Flowers", "read 0 floors"},
		{"no doors", "## Closed doors", "## Windows", "and 0 closed doors"},
		{"a folder twice", "| 0 | internal |", "| 0 | ir |", "folder ir has two rows"},
		{"a floor that is no number", "| 0 | internal |", "| ground | internal |", "floor number"},
		{"a missing cell", "| 1 | ir | | |", "| 1 | ir | |", "a floor has 4 cells"},
		{"an empty door", "| features | matrix/kill |", "| features | |", "both filled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parsePlan(strings.Replace(smallHouse, tt.old, tt.new, 1))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want one that says %q", err, tt.want)
			}
		})
	}
}

func TestArchitectureReadsImportsFromFilesButNotFromTests(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"ir/ir.go":               "package ir\n\nimport _ \"fmt\"\n",
		"ir/clang/clang.go":      "package clang\n\nimport _ \"" + module + "ir\"\n",
		"ir/clang/clang_test.go": "package clang\n\nimport _ \"" + module + "cmd/winnow\"\n",
		"ir/testdata/x.go":       "package broken !",
		"build/x.go":             "package broken !",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readImports(root)
	if err != nil {
		t.Fatal(err)
	}
	want := importGraph{"ir": nil, "ir/clang": {"ir"}}
	if !maps.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("readImports = %v, want %v", got, want)
	}
}
