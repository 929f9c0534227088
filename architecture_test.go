// Package architecture holds the test that keeps ARCHITECTURE.md true. It is
// the only Go file at the root of the repository, and it has no code to ship.
package architecture

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/winnow-mutants/winnow/"

// open is the folder that every other folder may import without naming it.
const open = "internal"

// floor is one row of the table "Floors".
type floor struct {
	level int
	may   []string // folders it may import; "*" stands for all lower ones
}

// plan is what ARCHITECTURE.md promises.
type plan struct {
	floors map[string]floor    // by folder
	doors  map[string][]string // by folder or package: what it never reaches
}

// importGraph maps each package of the module (by its folder, with slashes)
// to the packages of the module that its non-test files import.
type importGraph map[string][]string

// TestImportsFollowARCHITECTURE holds every import of the module to the two
// tables of ARCHITECTURE.md, so that neither can drift from the other.
func TestImportsFollowARCHITECTURE(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePlan(string(text))
	if err != nil {
		t.Fatal(err)
	}
	imports, err := readImports(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations(p, imports) {
		t.Error(v)
	}
}

// violations lists, sorted, everything in which the code and the plan differ.
func violations(p plan, imports importGraph) []string {
	out := slices.Concat(
		misplacedFolders(p, imports),
		impossibleRows(p),
		forbiddenImports(p, imports),
		openedDoors(p, imports),
	)
	slices.Sort(out)
	return slices.Compact(out)
}

// misplacedFolders compares the rows with the folders that hold Go packages.
func misplacedFolders(p plan, imports importGraph) []string {
	var out []string
	seen := map[string]bool{}
	for pkg := range imports {
		seen[folder(pkg)] = true
		if _, ok := p.floors[folder(pkg)]; !ok {
			out = append(out, fmt.Sprintf("folder %s has no row in ARCHITECTURE.md", folder(pkg)))
		}
	}
	for name := range p.floors {
		if !seen[name] {
			out = append(out, fmt.Sprintf("ARCHITECTURE.md has a row for %s, which holds no Go package", name))
		}
	}
	return out
}

// impossibleRows finds rows that permit what no import could use.
func impossibleRows(p plan) []string {
	var out []string
	for name, f := range p.floors {
		for _, to := range f.may {
			g, ok := p.floors[to]
			switch {
			case to == "*":
			case !ok:
				out = append(out, fmt.Sprintf("the row of %s names %s, which has no row", name, to))
			case g.level >= f.level:
				out = append(out, fmt.Sprintf("the row of %s names %s: floor %d may not import floor %d", name, to, f.level, g.level))
			}
		}
	}
	return out
}

// forbiddenImports finds imports that go upwards or that no row names.
func forbiddenImports(p plan, imports importGraph) []string {
	var out []string
	for from, tos := range imports {
		f, ok := p.floors[folder(from)]
		if !ok {
			continue // misplacedFolders says so
		}
		for _, to := range tos {
			b := folder(to)
			g, known := p.floors[b]
			switch {
			case folder(from) == b, !known:
			case g.level >= f.level:
				out = append(out, fmt.Sprintf("%s imports %s: floor %d may not import floor %d", from, to, f.level, g.level))
			case b == open, slices.Contains(f.may, b), slices.Contains(f.may, "*"):
			default:
				out = append(out, fmt.Sprintf("%s imports %s: its row does not name %s", from, to, b))
			}
		}
	}
	return out
}

// openedDoors finds closed doors that some path of imports goes through, and
// doors that guard nothing because no package bears the name (a misspelt door
// would otherwise pass for ever).
func openedDoors(p plan, imports importGraph) []string {
	var out []string
	for from, never := range p.doors {
		for _, name := range append([]string{from}, never...) {
			if !holdsPackage(imports, name) {
				out = append(out, fmt.Sprintf("closed doors: %s names %s, which holds no Go package", from, name))
			}
		}
		for pkg := range imports {
			if !within(pkg, from) {
				continue
			}
			reached := paths(imports, pkg)
			for to, way := range reached {
				if slices.ContainsFunc(never, func(n string) bool { return within(to, n) }) {
					out = append(out, fmt.Sprintf("%s reaches %s, a closed door: %s", pkg, to, strings.Join(way, " → ")))
				}
			}
		}
	}
	return out
}

func folder(pkg string) string { return strings.SplitN(pkg, "/", 2)[0] }

// within reports whether pkg is name or lies below it.
func within(pkg, name string) bool { return pkg == name || strings.HasPrefix(pkg, name+"/") }

func holdsPackage(imports importGraph, name string) bool {
	for pkg := range imports {
		if within(pkg, name) {
			return true
		}
	}
	return false
}

// paths returns, for every package that start imports directly or not, one
// shortest way to it.
func paths(imports importGraph, start string) map[string][]string {
	out := map[string][]string{}
	todo := [][]string{{start}}
	for len(todo) > 0 {
		way := todo[0]
		todo = todo[1:]
		for _, next := range slices.Sorted(slices.Values(imports[way[len(way)-1]])) {
			if _, ok := out[next]; !ok {
				out[next] = append(slices.Clone(way), next)
				todo = append(todo, out[next])
			}
		}
	}
	return out
}

// parsePlan reads the tables below the headings "Floors" and "Closed doors".
func parsePlan(text string) (plan, error) {
	p := plan{map[string]floor{}, map[string][]string{}}
	section := ""
	for n, line := range slices.Collect(strings.Lines(text)) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading
		}
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := cellsOf(line)
		if strings.HasPrefix(cells[0], "--") || cells[0] == "floor" || cells[0] == "from" {
			continue
		}
		var err error
		switch section {
		case "Floors":
			err = p.addFloor(cells)
		case "Closed doors":
			err = p.addDoor(cells)
		}
		if err != nil {
			return plan{}, fmt.Errorf("ARCHITECTURE.md:%d: %w", n+1, err)
		}
	}
	if len(p.floors) == 0 || len(p.doors) == 0 {
		return plan{}, fmt.Errorf("ARCHITECTURE.md: read %d floors and %d closed doors, want some of each", len(p.floors), len(p.doors))
	}
	return p, nil
}

func cellsOf(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
	}
	return cells
}

func (p plan) addFloor(cells []string) error {
	if len(cells) != 4 {
		return fmt.Errorf("a floor has 4 cells, this row has %d", len(cells))
	}
	level, err := strconv.Atoi(cells[0])
	if err != nil {
		return fmt.Errorf("floor number: %w", err)
	}
	if _, twice := p.floors[cells[1]]; twice {
		return fmt.Errorf("folder %s has two rows", cells[1])
	}
	p.floors[cells[1]] = floor{level, strings.Fields(cells[2])}
	return nil
}

func (p plan) addDoor(cells []string) error {
	if len(cells) != 2 || len(strings.Fields(cells[1])) == 0 {
		return fmt.Errorf("a closed door has 2 cells, both filled")
	}
	p.doors[cells[0]] = append(p.doors[cells[0]], strings.Fields(cells[1])...)
	return nil
}

// readImports parses the import clauses of every non-test Go file below root.
func readImports(root string) (importGraph, error) {
	imports := importGraph{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && hidden(d.Name()):
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(file, ".go"), strings.HasSuffix(file, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		tos, err := fileImports(file)
		pkg := filepath.ToSlash(rel)
		imports[pkg] = slices.Compact(slices.Sorted(slices.Values(append(imports[pkg], tos...))))
		return err
	})
	return imports, err
}

// hidden reports whether the go command, too, looks past a folder of this name
// (or, for build, whether it holds what make built).
func hidden(name string) bool {
	return name == "testdata" || name == "build" || name[0] == '.' || name[0] == '_'
}

func fileImports(file string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if to, ok := strings.CutPrefix(name, module); ok {
			out = append(out, to)
		}
	}
	return out, nil
}

// TestEveryPackageSaysWhatItIsFor asks for a package comment, of which the
// first sentence appears in editors and in go doc.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	imports, err := readImports(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range slices.SortedFunc(maps.Keys(imports), cmp.Compare[string]) {
		files, err := filepath.Glob(path.Join(pkg, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files, hasPackageComment) {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}

func hasPackageComment(file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
	return err == nil && f.Doc != nil
}
