package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// names are what the code declares: by the name of the package and a dot those of its top
// level, by themselves all of these, fields and methods.
type names map[string]bool

func (n names) add(pkg, name string) { n[name], n[pkg+"."+name] = true, true }

// read adds the declarations of a file.
func (n names) read(f *ast.File) {
	pkg := f.Name.Name
	n[pkg] = true
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			n.add(pkg, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					n.add(pkg, spec.Name.Name)
					n.fields(spec.Name.Name, spec.Type)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						n.add(pkg, name.Name)
					}
				}
			}
		}
	}
}

// fields adds those of a struct, and the methods of an interface.
func (n names) fields(of string, t ast.Expr) {
	var list *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			n.add(of, name.Name)
		}
	}
}

func declared(t *testing.T) names {
	t.Helper()
	n := names{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && hidden(d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			n.read(f)
		}
		return err
	})
	if err != nil || len(n) < 1000 {
		t.Fatalf("%d names, %v", len(n), err)
	}
	return n
}

var (
	fencedBlock = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan    = regexp.MustCompile("`([^`\n]+)`")
	// goName is a name of a package, as in program.Unit or ir/clang.Find, or an exported one
	// by itself; fields may follow in braces, and a call's arguments.
	goName = regexp.MustCompile(`^(?:(?:[a-z]+/)*([a-z]+)\.)?([A-Z]\w*[a-z]\w*)(?:\.([A-Z]\w*))?(?:\{([\w, ]*)\}|\(.*\))?$`)
)

// unknown returns the code spans of a text that are Go names which nothing declares.
func unknown(text string, known names) (out []string, found int) {
	for _, span := range codeSpan.FindAllStringSubmatch(fencedBlock.ReplaceAllString(text, ""), -1) {
		m := goName.FindStringSubmatch(span[1])
		if m == nil {
			continue
		}
		found++
		pkg, name, member := m[1], m[2], m[3]
		ok := known[name]
		if pkg != "" {
			ok = known[pkg+"."+name]
		}
		ok = ok && (member == "" || known[name+"."+member] || known[member])
		for field := range strings.SplitSeq(m[4], ",") {
			field = strings.TrimSpace(field)
			ok = ok && (field == "" || known[name+"."+field])
		}
		if !ok {
			out = append(out, span[1])
		}
	}
	return out, found
}

// What the documents for those who change the code call by its Go name is there.
func TestDocumentsNameWhatTheCodeDeclares(t *testing.T) {
	known, documents := declared(t), documents(t)
	for _, file := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", filepath.Join("docs", "walk.md")} {
		missing, found := unknown(documents[file], known)
		if len(missing) > 0 || found == 0 {
			t.Errorf("%s: of %d names the code does not declare %q", file, found, missing)
		}
	}
}

func TestNamesThatNothingDeclaresAreFound(t *testing.T) {
	known := names{}
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\ntype Op struct{ Name string }\nfunc Make() {}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	known.read(f)
	text := "`p.Op`, `Op{Name}`, `p.Make(x)`, `a/p.Make`, `file.go`, `--flag`, `LLVM`\n```go\nGone\n```\n"
	if missing, found := unknown(text, known); len(missing) != 0 || found != 4 {
		t.Errorf("%d names, %q are not declared", found, missing)
	}
	missing, _ := unknown("`q.Op`, `Op{Name, Doc}`, `p.Gone`, `Gone`", known)
	if len(missing) != 4 {
		t.Errorf("found %q", missing)
	}
}
