package features

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/expr"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// function is a function that has mutants: its code as it is written, and its mutants by
// site, statement and line. All else that is known of it is found by analyses.
type function struct {
	findings
	p      *program
	code   *defuse.Code
	forest *expr.Forest
	// run numbers the statements, by instruction: instructions that registers
	// link within a block.
	run  []int
	size int // instructions, without debug intrinsics

	rank       int // among the module's functions with mutants
	mutants    []int
	sites      []*site // in order of their first mutant
	statements map[int]*statementGroup
	operator   map[string]int
	types      map[kindOfMutant]int
	onLine     map[place]*line
	lines      []int // distinct lines with mutants, ascending
}

func (f *function) owner() *program { return f.p }

// forget drops what analyses found of the function and its sites.
func (f *function) forget() {
	f.findings = nil
	for _, s := range f.sites {
		s.findings = nil
	}
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// line counts the mutants of a function that are on a line.
type line struct {
	mutants  int
	operator map[string]int
}

// site is what mutants of one site share.
type site struct {
	findings
	fn *function
	// index numbers the sites of the function.
	index int
	// items are the touched instructions, or the terminator, as numbers of
	// fn.code; nodes are their expressions.
	items, nodes []int
	block        int
	mutants      []int  // their places in program.mutants
	halves       []half // how many mutants have each matcher and replacer
	statement    *statementGroup
}

func (s *site) owner() *program { return s.fn.p }

// first is the site's first mutant.
func (s *site) first() *mutant.Mutant { return &s.fn.p.mutants[s.mutants[0]] }

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

// siteKey tells sites apart. Mutants of one place need not touch the same: a trap
// replaces the first instruction of its statement and touches all.
type siteKey struct {
	ordinal     int
	first, last llir.Instruction
}

func siteKeyOf(at *mutant.Site) siteKey {
	k := siteKey{ordinal: at.Ordinal}
	if n := len(at.Touched); n > 0 {
		k.first, k.last = at.Touched[0], at.Touched[n-1]
	}
	return k
}

// newFunction finds the sites of a function's mutants.
func (p *program) newFunction(of *llir.Func, rank int, mutants []int) (*function, error) {
	code := defuse.Of(of)
	f := &function{p: p, code: code, forest: expr.Build(code), rank: rank, mutants: mutants, statements: map[int]*statementGroup{},
		operator: map[string]int{}, types: map[kindOfMutant]int{}, onLine: map[place]*line{}}
	f.findRuns()
	sites := map[siteKey]*site{}
	for _, i := range mutants {
		m := &p.mutants[i]
		key := siteKeyOf(&m.Site)
		s := sites[key]
		if s == nil {
			var err error
			if s, err = f.newSite(&m.Site); err != nil {
				return nil, fmt.Errorf("mutant %s: %w", m.ID, err)
			}
			sites[key] = s
		}
		p.siteOf[i] = s
		s.add(i, m)
	}
	for at := range f.onLine {
		if at.line > 0 {
			f.lines = append(f.lines, at.line)
		}
	}
	slices.Sort(f.lines)
	f.lines = slices.Compact(f.lines)
	return f, nil
}

func (f *function) newSite(at *mutant.Site) (*site, error) {
	s := &site{fn: f, index: len(f.sites)}
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
		if n := f.forest.Of[i]; n != expr.None && !slices.Contains(s.nodes, n) {
			s.nodes = append(s.nodes, n)
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
	s.statement.sites++
	f.sites = append(f.sites, s)
	return s, nil
}

// add counts a mutant of the site, which comes after those before it in the program.
func (s *site) add(i int, m *mutant.Mutant) {
	f, k := s.fn, kindOf(m)
	f.p.placeOf[i] = placeOfMutant{int32(s.statement.mutants), int32(len(s.mutants))}
	s.mutants = append(s.mutants, i)
	s.statement.mutants++
	s.statement.types[k]++
	f.types[k]++
	f.operator[m.Operator]++
	at := place{m.File, m.Line}
	if f.onLine[at] == nil {
		f.onLine[at] = &line{operator: map[string]int{}}
	}
	f.onLine[at].mutants++
	f.onLine[at].operator[m.Operator]++
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

// findRuns numbers the statements: instructions of a block that registers link,
// and what stands between them (dissertation, section 8.1).
func (f *function) findRuns() {
	f.run = make([]int, len(f.code.Items))
	run := 0
	for b := range len(f.code.First) - 1 {
		first, last := f.code.First[b], f.code.First[b+1]
		reach := make([]int, last-first)
		for i := first; i < last; i++ {
			reach[i-first] = max(reach[i-first], i)
			for _, k := range f.code.Uses[i] {
				if k >= first && k < i && !isSlot(f.code.Items[k].Node()) {
					reach[k-first] = i
				}
			}
		}
		for i := first; i < last; run++ {
			end := reach[i-first]
			for ; i <= end; i++ {
				end = max(end, reach[i-first])
				f.run[i] = run
			}
		}
	}
	for i := range f.code.Items {
		if inst := f.code.Items[i].Inst; inst == nil || !ir.IsDebug(inst) {
			f.size++
		}
	}
}

// startOfRun is the first item of an item's statement.
func (f *function) startOfRun(item int) int {
	first := f.code.First[f.code.Items[item].Block]
	for item > first && f.run[item-1] == f.run[item] {
		item--
	}
	return item
}

func isSlot(v any) bool { _, ok := v.(*llir.InstAlloca); return ok }
