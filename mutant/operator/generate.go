package operator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// Options choose what is mutated.
type Options struct {
	// Operators are the families to apply; nil means All.
	Operators []Operator
	// Source is the syntax tree of the module's C file, for the mutants' C
	// face; nil rebuilds the face from the IR.
	Source *csource.File
	// FirstSelector numbers the first mutant; 0 means 1. Modules of one
	// program are numbered through.
	FirstSelector int32
	// FirstSite and FirstStatement number the first site and statement.
	FirstSite, FirstStatement int
}

// Result is what Generate made.
type Result struct {
	Mutants []mutant.Mutant
	// Sites and Statements are how many the module has.
	Sites, Statements int
}

// Generate makes the mutants of a module. It prepares the module first: phis
// are demoted and unnamed values named, in the functions it mutates. The
// result depends only on the module and the options: functions in module
// order, places in instruction order, operators in the order given.
func Generate(m *ir.Module, opts Options) Result {
	if opts.Operators == nil {
		opts.Operators = All()
	}
	g := &generator{
		opts:      opts,
		hasDebug:  m.LLVM.NamedMetadataDefs["llvm.dbg.cu"] != nil,
		site:      opts.FirstSite,
		statement: opts.FirstStatement,
	}
	for _, f := range m.Functions() {
		ir.NameLocals(f)
		ir.DemotePhis(f)
		g.function(f)
	}
	// An operator may propose a change of another instruction than the one it
	// was asked about; numbering comes last, so that a site's mutants, and a
	// function's, have consecutive selectors.
	slices.SortStableFunc(g.out, func(a, b mutant.Mutant) int { return a.Site.Ordinal - b.Site.Ordinal })
	for i := range g.out {
		g.out[i].Selector = max(opts.FirstSelector, 1) + int32(i)
	}
	return Result{Mutants: g.out, Sites: g.site - opts.FirstSite, Statements: g.statement - opts.FirstStatement}
}

type generator struct {
	opts      Options
	hasDebug  bool
	site      int
	statement int
	out       []mutant.Mutant
}

// function holds the facts on one function that operators ask for.
type function struct {
	f           *llir.Func
	variables   map[value.Value]string
	hasDebug    bool
	users       usedOutside
	preds       map[*llir.Block][]*llir.Block
	increments  map[*llir.InstStore]*step
	incrementOf map[llir.Instruction]*step // by sum
	// promises: the compiler marked signed arithmetic with nsw.
	promises bool
}

func factsOf(f *llir.Func, hasDebug bool) *function {
	fn := &function{f: f, hasDebug: hasDebug, variables: ir.Variables(f), users: usersOf(f), preds: map[*llir.Block][]*llir.Block{},
		increments: map[*llir.InstStore]*step{}, incrementOf: map[llir.Instruction]*step{}}
	for _, b := range f.Blocks {
		for _, s := range b.Term.Succs() {
			fn.preds[s] = append(fn.preds[s], b)
		}
		for _, s := range stepsOf(b, fn.users) {
			fn.increments[s.store], fn.incrementOf[s.sum] = s, s
		}
		for _, inst := range b.Insts {
			if add, ok := inst.(*llir.InstAdd); ok && hasFlag(add.OverflowFlags) {
				fn.promises = true
			}
			if sub, ok := inst.(*llir.InstSub); ok && hasFlag(sub.OverflowFlags) {
				fn.promises = true
			}
			if mul, ok := inst.(*llir.InstMul); ok && hasFlag(mul.OverflowFlags) {
				fn.promises = true
			}
		}
	}
	return fn
}

func (g *generator) function(f *llir.Func) {
	fn := factsOf(f, g.hasDebug)
	render := face.New(f, g.opts.Source)
	ids := idMaker{function: f.Name(), seen: map[string]int{}}
	for _, b := range f.Blocks {
		statements := statementsOf(b, fn.users)
		for _, s := range statements {
			s.Ordinal = g.statement
			g.statement++
		}
		g.block(b, statements, &Place{Block: b, Face: render, fn: fn}, &ids)
	}
}

// block asks every operator about every place of a block: each statement
// before its instructions, and last the terminator.
func (g *generator) block(b *llir.Block, statements []*Statement, at *Place, ids *idMaker) {
	sites := map[any]int{} // by what the edit replaces
	ask := func(place Place, s *Statement) {
		for _, op := range g.opts.Operators {
			for _, proposal := range op.Match(&place) {
				g.add(at.fn.f, b, s, op, proposal, sites, ids)
			}
		}
	}
	var last *Statement
	for _, s := range statements {
		place := *at
		place.Statement = s
		if g.isWritten(s.root()) {
			ask(place, s)
		}
		for _, inst := range s.Insts {
			if g.isWritten(inst) {
				place := *at
				place.Inst = inst
				ask(place, s)
			}
		}
		if s.Term != nil {
			last = s
		}
	}
	if !g.isWritten(b.Term) {
		return
	}
	if last == nil {
		last = &Statement{Ordinal: g.statement}
		g.statement++
	}
	place := *at
	place.Term = b.Term
	ask(place, last)
}

// isWritten reports code that the user wrote, as far as debug information
// tells.
func (g *generator) isWritten(inst any) bool {
	return !g.hasDebug || ir.PositionOf(inst).Known()
}

func (g *generator) add(f *llir.Func, b *llir.Block, s *Statement, op Operator, p Proposal, sites map[any]int, ids *idMaker) {
	site := mutant.Site{Statement: s.Ordinal, Func: f, Block: b}
	var key any
	var anchor any
	switch edit := p.Edit.(type) {
	case mutant.Rewrite:
		site.Touched = edit.Insts
		key, anchor = [2]any{edit.Insts[0], len(edit.Insts)}, edit.Insts[len(edit.Insts)-1]
	case mutant.Redirect:
		site.Term = edit.Term
		key, anchor = edit.Term, edit.Term
	}
	ordinal, known := sites[key]
	if !known {
		ordinal = g.site
		g.site++
		sites[key] = ordinal
	}
	site.Ordinal = ordinal
	at := p.Position
	if !at.Known() {
		at = ir.PositionOf(anchor)
	}
	g.out = append(g.out, mutant.Mutant{
		ID: ids.next(at.File, p), Operator: op.Name, Matcher: p.Matcher, Replacer: p.Replacer,
		Function: f.Name(), File: at.File, Line: at.Line, Column: at.Column,
		Original: p.Original.C, Replacement: p.Replacement.C, Site: site, Edit: p.Edit,
	})
}

// idMaker names the mutants of a function. An id is a hash of the file's base
// name, the function's name, the mutant's type and its C texts, and of how many
// mutants with the same of all these came before in the function: so the id
// survives edits anywhere else.
type idMaker struct {
	function string
	seen     map[string]int
}

func (m *idMaker) next(file string, p Proposal) string {
	key := fmt.Sprintf("%s\x00%s\x00%s!%s\x00%s\x00%s", path.Base(file), m.function, p.Matcher, p.Replacer, p.Original.C, p.Replacement.C)
	n := m.seen[key]
	m.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, n))
	return hex.EncodeToString(sum[:6])
}
