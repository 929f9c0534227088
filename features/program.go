package features

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/expr"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// program is a module's mutants, by site and function.
type program struct {
	mutants []mutant.Mutant
	sites   []*site // in order of their first mutant
	// functions with mutants, in module order.
	functions []*function
	lines     map[place]*line
	siteOf    []*site // of each mutant
	in        inputs
	edited    *mutant.Mutant // whose edit is kept
	edit      *edit
	compared  *mutant.Mutant // whose ranges are kept
	ranged    *ranged
	trial     trial
	follower  follower
	trier     trier
	// programTrier runs main, of which mainReady is the code.
	programTrier trier
	main         *llir.Func
	mainReady    *concrete.Code
	lowered      op.Module
	// tried are the trials of the mutants from main, made on demand.
	tried    *triedProgram
	calls    map[*llir.Func]int
	sources  map[string]*csource.File // by the name that debug information has
	types    map[kindOfMutant]int
	places   map[*mutant.Mutant]placeOfMutant
	extremes *extremes
	language *language // of the source, on demand
	// texts are the lines of the file textsOf, for the family "corpus".
	textsOf   string
	texts     [][]byte
	described map[*csource.Function]*sourceFunction
}

// place is a line of a function.
type place struct {
	file string
	line int
	fn   *llir.Func
}

// line counts the mutants of a line.
type line struct {
	mutants  int
	operator map[string]int
}

// site is what mutants of one site share.
type site struct {
	p  *program
	fn *function
	// index numbers the sites of the function.
	index int
	// items are the touched instructions, or the terminator, as numbers of
	// fn.code; nodes are their expressions.
	items, nodes []int
	block        int
	mutants      []int  // their places in program.mutants
	halves       []half // how many mutants have each matcher and replacer
	// statement and its mutants.
	statement *statementGroup
	// expr and stmt are the site in the C source, once it was located.
	located bool
	expr    *csource.Expr
	stmt    *csource.Stmt
}

// statementGroup counts the mutants of a statement.
type statementGroup struct {
	mutants int
	rank    int // among the function's statements with mutants
	sites   int
	types   map[kindOfMutant]int
}

// half is a column of a bag of mutant types, and a count.
type half struct {
	column int
	count  float64
}

func newProgram(m *ir.Module, mutants []mutant.Mutant, in inputs) (*program, error) {
	p := &program{mutants: mutants, lines: map[place]*line{}, siteOf: make([]*site, len(mutants)), in: in,
		types: map[kindOfMutant]int{}, places: make(map[*mutant.Mutant]placeOfMutant, len(mutants)),
		trier: trier{limit: 1024}, programTrier: trier{limit: 12288, toTheEnd: true}, main: mainOf(m.LLVM),
		calls: countCalls(m.LLVM), sources: map[string]*csource.File{}, described: map[*csource.Function]*sourceFunction{}}
	byFunc := map[*llir.Func]*function{}
	// Mutants of one place need not touch the same: a trap replaces the first
	// instruction of its statement and touches all.
	type key struct {
		f           *llir.Func
		ordinal     int
		first, last llir.Instruction
	}
	keyOf := func(at *mutant.Site) key {
		k := key{f: at.Func, ordinal: at.Ordinal}
		if n := len(at.Touched); n > 0 {
			k.first, k.last = at.Touched[0], at.Touched[n-1]
		}
		return k
	}
	sites := map[key]*site{}
	for i := range mutants {
		at := &mutants[i].Site
		if at.Func == nil || at.Block == nil {
			return nil, fmt.Errorf("mutant %s: %w", mutants[i].ID, ErrForeign)
		}
		fn := byFunc[at.Func]
		if fn == nil {
			fn = newFunction(at.Func, &p.lowered)
			byFunc[at.Func] = fn
		}
		s := sites[keyOf(at)]
		if s == nil {
			var err error
			if s, err = fn.newSite(p, at); err != nil {
				return nil, fmt.Errorf("mutant %s: %w", mutants[i].ID, err)
			}
			sites[keyOf(at)] = s
			p.sites = append(p.sites, s)
		}
		s.add(i, &mutants[i])
		p.siteOf[i] = s
		p.countLine(&mutants[i])
	}
	for _, f := range m.LLVM.Funcs {
		if fn := byFunc[f]; fn != nil {
			fn.rank = len(p.functions)
			p.functions = append(p.functions, fn)
			fn.finish(p)
		}
	}
	if len(p.functions) != len(byFunc) {
		return nil, ErrForeign
	}
	return p, nil
}

func (p *program) countLine(m *mutant.Mutant) {
	at := place{m.File, m.Line, m.Site.Func}
	if p.lines[at] == nil {
		p.lines[at] = &line{operator: map[string]int{}}
	}
	p.lines[at].mutants++
	p.lines[at].operator[m.Operator]++
}

func (f *function) newSite(p *program, at *mutant.Site) (*site, error) {
	s := &site{p: p, fn: f, index: len(f.sites)}
	touched := make([]any, 0, len(at.Touched)+1)
	for _, inst := range at.Touched {
		touched = append(touched, inst)
	}
	if at.Term != nil {
		touched = append(touched, at.Term)
	}
	for _, v := range touched {
		i, ok := f.code.Number(v)
		if !ok {
			return nil, ErrForeign
		}
		s.items = append(s.items, i)
		f.onItem[i] = append(f.onItem[i], s.index)
		if n := f.forest.Of[i]; n != expr.None && !slices.Contains(s.nodes, n) {
			s.nodes = append(s.nodes, n)
			f.onNode[n] = append(f.onNode[n], s.index)
		}
	}
	if len(s.items) == 0 {
		return nil, fmt.Errorf("%w: it touches nothing", ErrForeign)
	}
	s.block = f.code.Items[s.items[0]].Block
	s.statement = f.statements[at.Statement]
	if s.statement == nil {
		s.statement = &statementGroup{rank: len(f.statements), types: map[kindOfMutant]int{}}
		f.statements[at.Statement] = s.statement
	}
	f.sites = append(f.sites, s)
	f.onBlock[s.block] = append(f.onBlock[s.block], s.index)
	return s, nil
}

func (s *site) add(i int, m *mutant.Mutant) {
	s.countNeighbour(m)
	s.mutants = append(s.mutants, i)
	s.statement.mutants++
	s.fn.mutants++
	s.fn.operator[m.Operator]++
	for _, column := range halvesOf(m) {
		s.count(column)
	}
}

func (s *site) count(column int) {
	for k := range s.halves {
		if s.halves[k].column == column {
			s.halves[k].count++
			return
		}
	}
	s.halves = append(s.halves, half{column, 1})
}
