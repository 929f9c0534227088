package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sampling is the package whose functions tell a test how much of its work to do.
const sampling = "internal/deep"

// sampledTest is a test that does more where everything is asked for.
type sampledTest struct{ pkg, name string }

// atOnce is how many tests are given to go test together where there is a time: as many as there
// are processors at work on most machines, so that few are begun when it is up.
const atOnce = 2

// goTestSampled runs only those tests that do more where everything is asked for; all others would
// do the same again.
func (t *tally) goTestSampled(args []string) error {
	flags := flag.NewFlagSet("testgate -sampled", flag.ContinueOnError)
	flags.SetOutput(t.out)
	within := flags.Duration("within", 0, "begin no test after this time; 0 means to run all")
	seed := flags.String("seed", "", "what decides which tests come first")
	own := 0
	for own+1 < len(args) && (args[own] == "-within" || args[own] == "-seed") {
		own += 2
	}
	if err := flags.Parse(args[:own]); err != nil {
		return err
	}
	args = args[own:]
	tests, err := allSampled()
	if err != nil {
		return err
	}
	if *within == 0 {
		return t.goTest(only(args, tests))
	}
	key := func(s sampledTest) string {
		hash := sha256.Sum256([]byte(*seed + "\x00" + s.pkg + "\x00" + s.name))
		return string(hash[:])
	}
	slices.SortFunc(tests, func(a, b sampledTest) int { return strings.Compare(key(a), key(b)) })
	begun, start := 0, time.Now()
	for begun < len(tests) && (begun == 0 || t.ended == nil && time.Since(start) < *within) {
		some := tests[begun:min(begun+atOnce, len(tests))]
		if err := t.goTest(only(args, some)); err != nil {
			return err
		}
		begun += len(some)
	}
	fmt.Fprintf(t.out, "%d of the %d tests with a sample did all they can\n", begun, len(tests))
	return nil
}

// only completes args of go test so that it runs these tests.
func only(args []string, tests []sampledTest) []string {
	var names, where []string
	for _, s := range tests {
		names, where = append(names, s.name), append(where, s.pkg)
	}
	slices.Sort(names)
	slices.Sort(where)
	args = append(slices.Clone(args), "-run", "^("+strings.Join(slices.Compact(names), "|")+")$")
	return append(args, slices.Compact(where)...)
}

// allSampled finds the tests of all packages that ask for a sample.
func allSampled() ([]sampledTest, error) {
	packages, err := listed()
	if err != nil {
		return nil, err
	}
	var out []sampledTest
	for _, p := range packages {
		found, err := p.sampled()
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			out = append(out, sampledTest{p.ImportPath, name})
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no test has a sample")
	}
	return out, nil
}

// listedPackage is what go list says of a package.
type listedPackage struct {
	ImportPath, Dir                    string
	Imports, TestGoFiles, XTestGoFiles []string
}

// listed are the packages of the module that the working directory is in.
func listed() ([]listedPackage, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,TestGoFiles,XTestGoFiles", "./...")
	text, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	var out []listedPackage
	for d := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listedPackage
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("what go list printed: %w", err)
		}
		out = append(out, p)
	}
}

// sampled names the tests of a package that ask for a sample: in their own text, or in
// that of a function or variable of the package's tests that they name.
func (p listedPackage) sampled() ([]string, error) {
	for _, path := range p.Imports {
		if strings.HasSuffix(path, "/"+sampling) {
			return nil, fmt.Errorf("%s imports %s: only tests may, or it cannot be told which of them have a sample", p.ImportPath, sampling)
		}
	}
	names := map[string][]string{} // those in a declaration, by what it declares
	asks := map[string]bool{}
	for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, 0)
		if err != nil {
			return nil, err
		}
		as := importedAs(parsed, sampling)
		for _, d := range parsed.Decls {
			used := namesIn(d)
			for _, declared := range declaredBy(d) {
				names[declared] = append(names[declared], used...)
				asks[declared] = asks[declared] || as != "" && slices.Contains(used, as)
			}
		}
	}
	for again := true; again; {
		again = false
		for declared, used := range names {
			if !asks[declared] && slices.ContainsFunc(used, func(name string) bool { return asks[name] }) {
				asks[declared], again = true, true
			}
		}
	}
	var out []string
	for declared, does := range asks {
		if does && (strings.HasPrefix(declared, "Test") || strings.HasPrefix(declared, "Fuzz")) {
			out = append(out, declared)
		}
	}
	return out, nil
}

// importedAs is the name that a file has for a package; "" where it does not import it.
func importedAs(file *ast.File, ending string) string {
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && strings.HasSuffix(path, "/"+ending) {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return path[strings.LastIndexByte(path, '/')+1:]
		}
	}
	return ""
}

// declaredBy names what a declaration declares; that of an import nothing.
func declaredBy(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		var out []string
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					out = append(out, name.Name)
				}
			case *ast.TypeSpec:
				out = append(out, spec.Name.Name)
			}
		}
		return out
	}
	return nil
}

func namesIn(d ast.Decl) []string {
	var out []string
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			out = append(out, id.Name)
		}
		return true
	})
	return out
}
