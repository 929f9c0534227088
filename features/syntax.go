package features

import (
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/csource"
)

var syntax = Family{
	Name: "syntax",
	Doc: "The mutated expression in the C syntax tree, as the user wrote it. Missing where there is no C source; kinds are all 0 where the mutant's place " +
		"holds no expression.",
	Columns:  syntaxColumns(),
	Requires: []Requirement{sourceFunction},
	PerSite: func(s *site, row []float64) {
		in := sourceOf.of(s)
		e, st := in.expr, in.stmt
		if e == nil && st == nil {
			missing(row)
			return
		}
		d := syntaxParts(row)
		if e != nil {
			describeExpr(e, d)
		}
		describeStmt(st, d)
		if f := sourceFunction.of(s); f != nil {
			copy(d.shape[len(shapes)-len(f.shape):], f.shape[:])
		}
	},
}

// The last kinds of csource's closed lists.
const (
	exprKinds = int(csource.LabelAddress) + 1
	stmtKinds = int(csource.Asm) + 1
)

// typeClasses tell types as C spells them, the first that fits; the last fits
// all.
var typeClasses = []struct {
	name string
	is   func(string) bool
}{
	{"unknown", func(t string) bool { return t == "" }},
	{"pointer", func(t string) bool { return strings.ContainsAny(t, "*[(") }},
	{"struct", func(t string) bool { return strings.Contains(t, "struct ") || strings.Contains(t, "union ") }},
	{"floating", func(t string) bool { return strings.Contains(t, "double") || strings.Contains(t, "float") }},
	{"char", func(t string) bool { return strings.Contains(t, "char") }},
	{"unsigned", func(t string) bool { return strings.Contains(t, "unsigned") }},
	{"long", func(t string) bool { return strings.Contains(t, "long") }},
	{"int", func(string) bool { return true }},
}

// literalClasses are what a literal can be.
var literalClasses = []string{"zero", "one", "small", "large", "floating", "character", "string"}

// roles are what an expression around the mutated one makes of its value.
var roles = []struct{ name, doc string }{
	{"returned", "the value reaches the operand of return"},
	{"output", "the value reaches an argument of a C library function that writes to a stream"},
	{"argument", "the value reaches an argument of a call"},
	{"condition", "the value reaches the condition of if, switch or a loop"},
	{"index", "the value reaches an index"},
	{"divisor", "the value reaches the right side of / or %"},
	{"shift", "the value reaches the right side of a shift"},
	{"assigned", "the value reaches the right side of an assignment or an initial value"},
	{"discarded", "the value of the whole expression is not used"},
}

// shapes are counts of the statement and of the function.
var shapes = []struct{ name, unit, doc string }{
	{"depth", "expressions", "expressions around the mutated one"},
	{"height", "expressions", "levels of expressions below the mutated one"},
	{"operands", "expressions", "operands of the mutated expression"},
	{"siblings", "expressions", "other operands of the expression around it"},
	{"position", "expressions", "operands before it in the expression around it"},
	{"in_macro", "", "the expression's operator came from a macro"},
	{"nesting", "statements", "if, switch and loops around the statement"},
	{"loops", "statements", "loops around the statement"},
	{"ifs", "statements", "if statements around the statement"},
	{"switches", "statements", "switch statements around the statement"},
	{"statement_expressions", "expressions", "expressions of the statement, its inner statements left out"},
	{"statement_operators", "expressions", "operators of the statement"},
	{"statement_calls", "expressions", "calls of the statement"},
	{"statement_literals", "expressions", "literals of the statement"},
	{"statement_names", "names", "different variables of the statement"},
	{"statement_children", "statements", "statements directly in the statement"},
	{"statement_siblings", "statements", "statements beside the statement"},
	{"statement_place", "share", "share of these that come before it; missing when there are none"},
	{"function_statements", "statements", "statements of the function"},
	{"function_expressions", "expressions", "expressions of the function"},
	{"function_loops", "statements", "loops of the function"},
	{"function_ifs", "statements", "if statements of the function"},
	{"function_returns", "statements", "return statements of the function"},
	{"function_nesting", "statements", "greatest nesting of the function's statements"},
}

func syntaxColumns() []Column {
	var out []Column
	for k := range exprKinds {
		out = append(out, Column{Name: "c_is_" + strings.ReplaceAll(csource.Kind(k).String(), "-", "_"), Source: "own", Doc: "the mutated expression is of the C kind: " + csource.Kind(k).String()})
	}
	for k := range exprKinds {
		out = append(out, Column{Name: "c_in_" + strings.ReplaceAll(csource.Kind(k).String(), "-", "_"), Source: "own", Doc: "the expression around it, parentheses left out, is of the C kind: " + csource.Kind(k).String()})
	}
	for k := range stmtKinds {
		out = append(out, Column{Name: "c_statement_" + strings.ReplaceAll(csource.StmtKind(k).String(), "-", "_"), Source: "own", Doc: "the statement is of the C kind: " + csource.StmtKind(k).String()})
	}
	for _, c := range typeClasses {
		out = append(out, Column{Name: "c_type_" + c.name, Source: "own", Doc: "the expression's C type is of the class: " + c.name})
	}
	for _, c := range literalClasses {
		out = append(out, Column{Name: "c_literal_" + c, Unit: "literals", Source: "own", Doc: "literals in the mutated expression of the class: " + c})
	}
	for _, r := range roles {
		out = append(out, Column{Name: "c_role_" + r.name, Source: "own", Doc: r.doc})
	}
	for _, s := range shapes {
		out = append(out, Column{Name: "c_shape_" + s.name, Unit: s.unit, Source: "own", Doc: s.doc})
	}
	return out
}

// syntaxRow is a row of the family by parts.
type syntaxRow struct{ is, in, statement, types, literals, roles, shape []float64 }

func syntaxParts(row []float64) syntaxRow {
	take := func(n int) []float64 {
		part := row[:n]
		row = row[n:]
		return part
	}
	return syntaxRow{take(exprKinds), take(exprKinds), take(stmtKinds), take(len(typeClasses)), take(len(literalClasses)), take(len(roles)), take(len(shapes))}
}

func outer(e *csource.Expr) *csource.Expr {
	for e = e.Parent; e != nil && e.Kind == csource.Paren; {
		e = e.Parent
	}
	return e
}

func describeExpr(e *csource.Expr, d syntaxRow) {
	e = e.Unparen()
	mark(d.is, int(e.Kind))
	around := outer(e)
	if around != nil {
		mark(d.in, int(around.Kind))
		d.shape[3] = float64(len(around.Operands) - 1)
	}
	if e.Parent != nil {
		d.shape[4] = float64(slices.Index(e.Parent.Operands, e))
	}
	for a := around; a != nil; a = outer(a) {
		d.shape[0]++
	}
	d.shape[1] = float64(height(e))
	d.shape[2] = float64(len(e.Operands))
	d.shape[5] = truth(e.InMacro)
	mark(d.types, slices.IndexFunc(typeClasses, func(c struct {
		name string
		is   func(string) bool
	}) bool {
		return c.is(e.TypeName)
	}))
	e.Walk(func(x *csource.Expr) bool {
		if k := literalClass(x); k >= 0 {
			d.literals[k]++
		}
		return true
	})
	describeRoles(e, d.roles)
}

// describeRoles looks at every expression around the mutated one.
func describeRoles(e *csource.Expr, row []float64) {
	for ; e.Parent != nil; e = e.Parent {
		p, last := e.Parent, e == e.Parent.Operands[len(e.Parent.Operands)-1] && len(e.Parent.Operands) > 1
		switch p.Kind {
		case csource.Call:
			if e != p.Operands[0] {
				row[2] = 1
				if callee := p.Operands[0].Unparen(); callee.Kind == csource.Identifier && libc.Find(callee.Name).Has(libc.Output) {
					row[1] = 1
				}
			}
		case csource.Index:
			row[4] = max(row[4], truth(last))
		case csource.Binary, csource.CompoundAssign:
			switch strings.TrimSuffix(p.Op, "=") {
			case "/", "%":
				row[5] = max(row[5], truth(last))
			case "<<", ">>":
				row[6] = max(row[6], truth(last))
			}
		}
		if p.Kind == csource.Assignment || p.Kind == csource.CompoundAssign || p.Kind == csource.Initializer {
			row[7] = max(row[7], truth(last))
		}
	}
	if st := e.Stmt; st != nil {
		row[0] = truth(st.Kind == csource.Return)
		row[3] = truth(st.Condition == e)
		row[8] = truth(st.Kind == csource.ExprStmt || st.Kind == csource.For && st.Condition != e)
	}
}

func describeStmt(st *csource.Stmt, d syntaxRow) {
	if st == nil {
		return
	}
	mark(d.statement, int(st.Kind))
	row := d.shape
	row[6] = float64(st.Depth)
	for p := st.Parent; p != nil; p = p.Parent {
		row[7] += truth(p.Kind.IsLoop())
		row[8] += truth(p.Kind == csource.If)
		row[9] += truth(p.Kind == csource.Switch)
	}
	names := map[string]bool{}
	for _, e := range st.Exprs {
		e.Walk(func(x *csource.Expr) bool {
			row[10]++
			row[11] += truth(x.Op != "" && x.Kind != csource.Call)
			row[12] += truth(x.Kind == csource.Call)
			row[13] += truth(x.Kind.IsLiteral())
			if x.Kind == csource.Identifier {
				names[x.Name] = true
			}
			return true
		})
	}
	row[14] = float64(len(names))
	row[15] = float64(len(st.Children))
	row[17] = math.NaN()
	if st.Parent != nil {
		row[16] = float64(len(st.Parent.Children) - 1)
		if row[16] > 0 {
			row[17] = share(slices.Index(st.Parent.Children, st), len(st.Parent.Children))
		}
	}
}

func literalClass(e *csource.Expr) int {
	switch e.Kind {
	case csource.FloatLiteral:
		return 4
	case csource.CharLiteral:
		return 5
	case csource.StringLiteral:
		return 6
	case csource.IntLiteral:
		switch text := strings.TrimRight(e.Text(), "uUlL"); {
		case text == "0":
			return 0
		case text == "1":
			return 1
		case len(text) <= 2:
			return 2
		}
		return 3
	}
	return -1
}

func height(e *csource.Expr) int {
	h := 0
	for _, o := range e.Operands {
		h = max(h, 1+height(o))
	}
	return h
}

func mark(row []float64, k int) {
	if k >= 0 && k < len(row) {
		row[k] = 1
	}
}
