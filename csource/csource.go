// Package csource gives mutants their C face: the syntax tree of a source
// file, found by the places that debug information names.
//
// A mutant is made in IR, where the only trace of the C source is a debug
// location: a file, a line and a column. Parse reads the file with the same
// headers and macros that clang saw and indexes every expression by the place
// clang gives the instructions made from it:
//
//	binary, logical, comma, assignment,
//	unary, ++ and --                      the operator
//	member access                         the member's name
//	initialised declaration               the declared name
//	everything else                       its first token
//
// so File.At answers an instruction's location directly. Two of clang's
// habits need File.StartingAt: an implicit conversion is placed where the
// converted expression begins, and the branch of an if where its condition
// begins. Several expressions may share a place; the outermost comes first.
//
// What a macro made has the place of the macro's call, in clang and here:
// Text is then the call as the user wrote it and Expanded what came of it.
// Line directives are obeyed as clang obeys them.
//
// The render functions build C text from parts, with the parentheses that
// precedence demands and no others.
//
// The parser is modernc.org/cc, which works in three steps: preprocess, parse,
// resolve types. A file that fails the third is still indexed, without types.
// Its tree is converted to the smaller one of this package and dropped.
package csource

import (
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// File is one file of the user as debug information names it: the parsed file
// itself, a header, or what a #line directive claims (see In).
type File struct {
	// Path is the file's name: as given to Parse, as found by #include, or as
	// given in #line.
	Path string
	// Untyped is nil when types were resolved; otherwise it says why every
	// Expr.TypeName is empty.
	Untyped error

	unit     *unit
	all      map[string]*File
	at       map[spot][]*Expr
	starting map[spot][]*Expr
	macros   map[spot]int // how many pieces of code a macro call made there
	// operands are the places of expressions with an operand that a macro's call made in parentheses
	// of the macro's own.
	operands  map[spot]bool
	functions []*Function
	// reach is, by function, the furthest end of it and of those before it; nil
	// where it cannot serve to find the functions around a place.
	reach []point
	// copies are, of a file that is included several times, what each of the functions has of it that stand at
	// one place, by name.
	copies map[string]*File
}

// spot is a place in one file.
type spot struct{ line, column int }

func newFile(u *unit, path string, b *builder, untyped error) *File {
	all := map[string]*File{}
	empty := func(name string) *File {
		return &File{Path: name, Untyped: untyped, unit: u, all: all, at: map[spot][]*Expr{}, starting: map[spot][]*Expr{}, macros: map[spot]int{}, operands: map[spot]bool{}}
	}
	file := func(name string) *File {
		f := all[name]
		if f == nil {
			f = empty(name)
			all[name] = f
		}
		return f
	}
	main := file(path)
	u.functions, u.exprs = b.functions, b.exprs
	u.at, u.starting = map[Token][]*Expr{}, map[Token][]*Expr{}
	for _, f := range b.functions {
		home := file(f.from.file)
		home.functions = append(home.functions, f)
	}
	for name, f := range all {
		for _, again := range included(f.functions) {
			if f.copies == nil {
				f.copies = map[string]*File{}
			}
			f.copies[again.Name] = empty(name)
			f.copies[again.Name].functions = []*Function{again}
		}
	}
	for _, outer := range b.exprs {
		outer.Walk(func(e *Expr) bool {
			if e.token >= 0 && u.tokens[e.token].fromMacro {
				u.at[Token(e.token+1)] = append(u.at[Token(e.token+1)], e)
			}
			if e.first >= 0 && u.tokens[e.first].fromMacro {
				u.starting[Token(e.first+1)] = append(u.starting[Token(e.first+1)], e)
			}
			if p := e.presumed; p.line > 0 {
				for _, f := range file(p.file).with(e.Stmt) {
					f.add(e)
				}
			}
			if p := e.presumedBase; p.line > 0 {
				for _, f := range file(p.file).with(e.Stmt) {
					f.starting[spot{p.line, p.column}] = append(f.starting[spot{p.line, p.column}], e)
				}
			}
			return true
		})
	}
	for _, f := range b.functions {
		f.Body.Walk(func(s *Stmt) bool {
			if home := all[s.from.file]; home != nil && s.first >= 0 && u.tokens[s.first].fromMacro && s.Kind.isJump() {
				for _, f := range home.with(s) {
					f.macros[spot{s.from.line, s.from.column}]++
				}
			}
			return true
		})
	}
	for _, f := range all {
		f.reach = reachOf(f.functions, f.Path)
		for _, again := range f.copies {
			again.reach = reachOf(again.functions, f.Path)
		}
	}
	return main
}

// included are those of a file's functions that begin where another does, and that no macro made: the file is
// included several times, with other names for them.
func included(functions []*Function) []*Function {
	at := map[point]int{}
	for _, f := range functions {
		at[f.from]++
	}
	return slices.DeleteFunc(slices.Clone(functions), func(f *Function) bool {
		return at[f.from] == 1 || f.Body.unit.tokens[f.Body.first].fromMacro
	})
}

// with are the file and what the function of a statement has of it.
func (f *File) with(s *Stmt) []*File {
	if s != nil && s.Function != nil && f.copies[s.Function.Name] != nil {
		return []*File{f, f.copies[s.Function.Name]}
	}
	return []*File{f}
}

// add files an expression by its place.
func (f *File) add(e *Expr) {
	p := spot{e.presumed.line, e.presumed.column}
	f.at[p] = append(f.at[p], e)
	if e.InMacro && e.makesCode() {
		f.macros[p]++
	}
	if slices.ContainsFunc(e.Operands, (*Expr).isCallInParens) {
		f.operands[p] = true
	}
}

// Within returns what a function has of the file: where the file is included several times,
// several functions have code at one place of it, and what macros make of that differs. It is
// the file itself for other functions, and nil for no file.
func (f *File) Within(function string) *File {
	if f == nil || f.copies[function] == nil {
		return f
	}
	return f.copies[function]
}

// reachOf is File.reach. The functions must lie in the file in their order, which
// they do not where it was included twice.
func reachOf(functions []*Function, path string) []point {
	out := make([]point, len(functions))
	for i, f := range functions {
		out[i] = f.to
		if i > 0 && f.from.before(functions[i-1].from) || f.to.file != path {
			return nil
		}
		if i > 0 && out[i].before(out[i-1]) {
			out[i] = out[i-1]
		}
	}
	return out
}

// In returns the file of the parse that a debug location calls name: the
// parsed file, a user header or a name from #line. A name that is not exactly
// known matches the one file whose path ends with it. It returns nil for a
// file that holds no code of the user.
func (f *File) In(name string) *File {
	name = filepath.Clean(name)
	if known := f.all[name]; known != nil {
		return known
	}
	var found *File
	matches := 0
	for path, candidate := range f.all {
		path = filepath.Clean(path)
		if sameFile(path, name) {
			return candidate
		}
		if endsWith(path, name) || endsWith(name, path) {
			found = candidate
			matches++
		}
	}
	if matches != 1 {
		return nil
	}
	return found
}

func sameFile(a, b string) bool {
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

func endsWith(path, end string) bool {
	return strings.HasSuffix(filepath.ToSlash(path), "/"+strings.TrimPrefix(filepath.ToSlash(end), "./"))
}

// At returns the expressions whose debug location is the given line and
// column (both from 1, columns in bytes), outermost first; nil when there is
// none.
func (f *File) At(line, column int) []*Expr { return f.at[spot{line, column}] }

// StartingAt returns the expressions whose text begins at the given line and
// column, outermost first; nil when there is none.
func (f *File) StartingAt(line, column int) []*Expr { return f.starting[spot{line, column}] }

// StatementAt returns the innermost statement around a place: in a function
// but outside its body (the size of an array parameter) the body, outside
// functions nil. Of the statements that one macro call made, it is the outermost.
func (f *File) StatementAt(line, column int) *Stmt {
	p := point{file: f.Path, line: line, column: column}
	return innermost(p, f.around(p))
}

// innermost is the statement of functions that StatementAt returns.
func innermost(p point, functions []*Function) *Stmt {
	var best *Stmt
	for _, function := range functions {
		// A nested function lies inside another and comes after it.
		if s := function.Body.innermost(p); s != nil && (best == nil || best.contains(s)) {
			best = s
		}
		if best == nil && function.from.file == p.file && !p.before(function.from) && p.before(function.to) {
			best = function.Body
		}
	}
	return best
}

// around are functions among which are all those around a place.
func (f *File) around(p point) []*Function {
	if f.unit.renamed || f.reach == nil {
		return f.bodies()
	}
	from := sort.Search(len(f.reach), func(i int) bool { return p.before(f.reach[i]) })
	to := sort.Search(len(f.functions), func(i int) bool { return p.before(f.functions[i].from) })
	return f.functions[min(from, to):to]
}

// bodies are the functions that may have statements in the file. A #line
// directive can put part of a body into another file than its function.
func (f *File) bodies() []*Function {
	if f.unit.renamed {
		return f.unit.functions
	}
	return f.functions
}

func (s *Stmt) contains(t *Stmt) bool { return s.covers(t.from) && !s.to.before(t.to) }

// covers reports whether a place lies in the statement.
func (s *Stmt) covers(p point) bool {
	return s.from.file == p.file && s.to.file == p.file && !p.before(s.from) && p.before(s.to)
}

func (s *Stmt) innermost(p point) *Stmt {
	covers := s.covers(p)
	if !covers && !s.unit.renamed {
		return nil
	}
	for _, child := range s.Children {
		if covers && s.unit.sameCall(s.first, child.first) && s.unit.sameCall(child.first, child.last) {
			continue
		}
		if found := child.innermost(p); found != nil {
			return found
		}
	}
	if covers {
		return s
	}
	return nil
}

// Functions returns the functions defined in the file, in source order.
func (f *File) Functions() []*Function { return f.functions }
