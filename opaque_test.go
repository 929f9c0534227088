package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// typedPointers are files that read it nevertheless: what the analysis of null guards asks of an
// allocation is how large the variable's pointee is, as published, and until pointers are
// opaque their type is where that stands; debug information has it, too.
var typedPointers = []string{"ub/faithful_guard.go"}

// What a pointer's type points to is gone in LLVM since version 15. Operators make mutants
// of the types that clang 14 writes; analyses, features and formulas read accesses, which say
// their own types.
func TestNothingAboveTheLoweringReadsWhatAPointersTypePointsTo(t *testing.T) {
	files := 0
	for _, room := range []string{"analysis", "features", "ub", "symbolic"} {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				slices.Contains(typedPointers, filepath.ToSlash(path)) {
				return err
			}
			files++
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			for _, at := range pointeesRead(f) {
				t.Errorf("%v reads what the type of a pointer points to", set.Position(at))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files", files)
	}
}

func TestReadingAPointersTypeIsFound(t *testing.T) {
	for code, want := range map[string]int{
		"if p, ok := v.(*types.PointerType); ok { return p.ElemType }":           1,
		"return v.Type().(*types.PointerType).ElemType":                          1,
		"switch p := v.(type) { case *types.PointerType: return p.ElemType }":    1,
		"switch p := v.(type) { case *types.ArrayType: return p.ElemType }":      0,
		"if _, ok := v.(*types.PointerType); ok { return nil }":                  0,
		"switch p := v.(type) { case *types.PointerType: return nil; default: }": 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc f() any {\n"+code+"\nreturn nil }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(pointeesRead(f)); got != want {
			t.Errorf("%s: found %d times, want %d", code, got, want)
		}
	}
}

// pointeesRead are the places at which ElemType of a value is read that the same function
// has found to be a type of a pointer.
func pointeesRead(f *ast.File) []token.Pos {
	var out []token.Pos
	for _, d := range f.Decls {
		pointers := map[string]bool{}
		var within []*ast.CaseClause // in which a name is a type of a pointer
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if len(n.Rhs) == 1 && assertsPointer(n.Rhs[0]) {
					if name, ok := n.Lhs[0].(*ast.Ident); ok {
						pointers[name.Name] = true
					}
				}
			case *ast.CaseClause:
				if slices.ContainsFunc(n.List, isPointerType) {
					within = append(within, n)
				}
			case *ast.SelectorExpr:
				if n.Sel.Name != "ElemType" {
					break
				}
				name, isName := n.X.(*ast.Ident)
				inCase := slices.ContainsFunc(within, func(c *ast.CaseClause) bool { return c.Pos() <= n.Pos() && n.End() <= c.End() })
				if assertsPointer(n.X) || isName && (pointers[name.Name] || inCase) {
					out = append(out, n.Pos())
				}
			}
			return true
		})
	}
	return out
}

func assertsPointer(x ast.Expr) bool {
	a, ok := x.(*ast.TypeAssertExpr)
	return ok && a.Type != nil && isPointerType(a.Type)
}

func isPointerType(x ast.Expr) bool {
	star, ok := x.(*ast.StarExpr)
	if !ok {
		return false
	}
	selector, ok := star.X.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "PointerType"
}
