package operator

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// Options choose what is mutated.
type Options struct {
	// Rules are what is matched and by what it is replaced; nil means
	// rule.Default.
	Rules *rule.Set
	// Source is the syntax tree of the module's C file, for the mutants' C
	// face; nil rebuilds the face from the IR.
	Source *csource.File
	// Origins are the tokens of the source that instructions were made of (package
	// origin). Without, what a macro makes of several pieces of code is IROnly.
	Origins map[any]csource.Token
	// FirstSelector numbers the first mutant; 0 means 1. Modules of one
	// program are numbered through.
	FirstSelector int32
	// FirstSite and FirstStatement number the first site and statement.
	FirstSite, FirstStatement int
	// Wanted, when not nil, is asked about each mutant, of which only those that are wanted are made. The
	// others cost less, and have their part in ids and in the numbers of sites all the same.
	Wanted func(id, file string, line int) bool
}

// Result is what Generate made.
type Result struct {
	Mutants []mutant.Mutant
	// Sites and Statements are how many the module has.
	Sites, Statements int
	// Failures are the rules that could not be applied somewhere.
	Failures []Failure
}

// Generate makes the mutants of a module. It prepares the module first: phis
// are demoted and unnamed values named. The result depends only on the module
// and the options: functions in module order, places in instruction order, rules
// in the order of the set.
func Generate(m *ir.Module, opts Options) Result {
	g := NewGenerator(m, opts)
	var out []mutant.Mutant
	for _, mutants := range g.All() {
		out = append(out, mutants...)
	}
	r := g.Result()
	r.Mutants = out
	return r
}

// NewGenerator prepares a module.
func NewGenerator(m *ir.Module, opts Options) *Generator {
	if opts.Rules == nil {
		opts.Rules = rule.Default()
	}
	for _, f := range m.Functions() {
		ir.NameLocals(f)
		ir.DemotePhis(f)
	}
	g := &Generator{
		opts:      opts,
		functions: m.Functions(),
		facts:     factsOfModule(m),
		index:     newRuleIndex(opts.Rules),
		ids:       newIDMaker(m),
		selector:  max(opts.FirstSelector, 1),
		site:      opts.FirstSite,
		statement: opts.FirstStatement,
	}
	g.facts.trap = DeclareTrap(m)
	return g
}

// All yields the functions with their mutants, in module order. It can be gone
// through once.
func (g *Generator) All() iter.Seq2[*llir.Func, []mutant.Mutant] {
	return func(yield func(*llir.Func, []mutant.Mutant) bool) {
		for _, f := range g.functions {
			if !yield(f, g.function(f)) {
				return
			}
		}
	}
}

// Result is what Generate returns, but without the mutants, once All is gone
// through.
func (g *Generator) Result() Result {
	return Result{Sites: g.site - g.opts.FirstSite, Statements: g.statement - g.opts.FirstStatement, Failures: g.failures}
}

// Generator makes the mutants of a module as Generate does, function by function,
// for those who do not want all of them at a time.
type Generator struct {
	opts      Options
	functions []*llir.Func
	facts     moduleFacts
	index     ruleIndex
	ids       *idMaker
	selector  int32 // the next one
	site      int
	statement int
	out       []mutant.Mutant // of the current function
	sites     map[any]int     // of the current function, by what the edit replaces
	failures  []Failure
}

func (g *Generator) function(f *llir.Func) []mutant.Mutant {
	g.out, g.sites = nil, map[any]int{}
	render := face.New(f, g.opts.Source)
	var shown *face.Renderer
	if render.IsShown(f) {
		shown = render.Shown(f, g.opts.Origins)
	}
	fn := factsOf(f, g.facts, render)
	ids := g.ids.in(f.Name())
	for _, b := range f.Blocks {
		statements := statementsOf(b, fn.users)
		for _, s := range statements {
			s.Ordinal = g.statement
			g.statement++
		}
		at := &Place{Block: b, Face: render, fn: fn, mart: g.opts.Rules.Mart}
		if shown != nil {
			at.shown = &Place{Block: b, Face: shown, fn: fn, mart: at.mart}
		}
		g.block(statements, at, ids)
	}
	// A rule may propose a change of another instruction than the one it was
	// asked about; numbering comes last, so that a site's mutants have consecutive
	// selectors.
	slices.SortStableFunc(g.out, func(a, b mutant.Mutant) int { return a.Site.Ordinal - b.Site.Ordinal })
	for i := range g.out {
		g.out[i].Selector = g.selector
		g.selector++
	}
	return g.out
}

// block applies the rules to the places of a block: each statement before its
// instructions, and the terminator with the last statement.
func (g *Generator) block(statements []*Statement, at *Place, ids *functionIDs) {
	a := &asker{&collector{Generator: g, ids: ids, seen: map[shown]bool{}, block: at.Block}, g.opts.Rules}
	mart := g.opts.Rules.Mart
	if !slices.ContainsFunc(statements, func(s *Statement) bool { return s.Term != nil }) {
		own := &Statement{Ordinal: g.statement, Term: at.Block.Term}
		g.statement++
		statements = append(slices.Clone(statements), own)
	}
	for _, s := range statements {
		if len(s.Insts) > 0 && (mart || g.isWritten(s.root())) || len(s.Insts) == 0 && (mart || g.isWritten(s.Term)) {
			a.statement(at, s)
		}
		for _, inst := range s.Insts {
			if mart || g.isWritten(inst) {
				a.ask(at.with(func(p *Place) { p.Inst = inst }), s)
			}
		}
		if s.Term != nil && (mart || g.isWritten(s.Term)) {
			a.ask(at.with(func(p *Place) { p.Term = s.Term }), s)
		}
	}
}

// isWritten reports code that the user wrote, as far as debug information
// tells.
func (g *Generator) isWritten(inst any) bool {
	return !g.facts.hasDebug || ir.PositionOf(inst).Known()
}

// collector turns the proposals on one block into mutants.
type collector struct {
	*Generator
	ids   *functionIDs
	seen  map[shown]bool
	block *llir.Block
	// runs are the stretches of the block that proposals replace, from and to.
	runs [][2]int
}

// shown is what a user sees of a mutant at a site.
type shown struct {
	site                  int
	original, replacement string
}

// add numbers a proposal's site and makes a mutant of it, unless the user
// could not tell it from the original or from another mutant of the site:
// `a + a` has one operand to keep.
func (c *collector) add(at *Place, s *Statement, r rule.Rule, p Proposal, artefact bool) {
	site := mutant.Site{Statement: s.Ordinal, Func: at.fn.f, Block: cmp.Or(p.block, at.Block)}
	var key, anchor any
	switch edit := p.Edit.(type) {
	case mutant.Rewrite:
		site.Touched = edit.Insts
		if p.touched != nil {
			site.Touched = p.touched
		}
		key, anchor = [2]any{edit.Insts[0], len(edit.Insts)}, edit.Insts[len(edit.Insts)-1]
	case mutant.Redirect:
		site.Term = edit.Term
		key, anchor = edit.Term, edit.Term
	}
	if p.Original.C == p.Replacement.C || splitsTail(p.Edit, site.Block) {
		return
	}
	ordinal, known := c.sites[key]
	if !known {
		ordinal = c.site
		c.site++
		c.sites[key] = ordinal
	}
	site.Ordinal = ordinal
	face := shown{ordinal, p.Original.C, p.Replacement.C}
	if c.seen[face] && !at.mart && !strings.Contains(face.replacement, "…") {
		return
	}
	c.seen[face] = true
	position := ir.PositionOf(cmp.Or(p.at, anchor))
	if p.label != nil {
		position = p.label.Position
	} else if !position.Known() {
		position = ir.PositionOf(anchor)
	}
	context := at.Face.Context(anchor)
	if context == "" {
		context = at.contextOf(s)
	}
	id := c.ids.next(position.File, context, p)
	if c.opts.Wanted != nil && !c.opts.Wanted(id, position.File, position.Line) {
		return
	}
	m := mutant.Mutant{
		ID: id, Operator: r.Family(), Rule: r.Name, IROnly: p.irOnly, Artefact: artefact, Matcher: p.Matcher, Replacer: p.Replacer,
		Function: at.fn.f.Name(), File: position.File, Line: position.Line, Column: position.Column,
		Original: p.Original.C, Replacement: p.Replacement.C, Site: site, Edit: p.Edit,
	}
	m.Identity = mutant.Texts{Original: m.Original, Replacement: m.Replacement}
	if at.shown != nil {
		at.shown.show(&m, p, cmp.Or(p.at, anchor))
	}
	c.out = append(c.out, m)
}
