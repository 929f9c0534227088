package schemata

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// The probing build runs the original once and tells, for all mutants at a
// time, which of them would have made a difference on the way: which are
// infected (weak mutation; Howden 1982). A mutant that is not infected in a run
// of the original computes what the original computes at every execution of its
// site, so that its own run is the original's run step by step: it survives, and
// nobody needs to run it. That is why infection is never under-reported here,
// while a mutant that is reported infected may well survive.
//
// At a site the original's code runs as it is. What a mutant would do instead is
// evaluated beside it as far as that is free of effects and cannot trap, and
// compared where values leave the site: the result, the address and the value of
// a store, the arguments of a call, the block that a branch goes to, the value
// returned. Everything else is infected as soon as it is reached. Package
// comments of the parts:
//
//   - probe_original.go: the original's code at a site, cut at its effects
//   - probe_evaluate.go: a mutant's code against the original's
//   - probe_total.go: instructions made total, with the guard that says where
//     they would have trapped
//   - probe_target.go: where branches go
//   - probe_weave.go: where the comparisons are put
//   - probe_values.go: what the values were like, of the original and of mutants
//
// # What a probing build tells
//
// It is driven like a meta-mutant with selector 0, and its table of reached
// sites is longer. Of Sites sites and Mutants mutants it holds, one after the
// other: a byte a site (1 reached; 3 the program was inside the site when it
// ended: its mutants count as infected), a byte a selector from 0
// (winnow_infected; 1 infected; selector 0: the original read a local variable
// that has no value, and nothing that was compared means anything), and with
// Counts, aligned to four bytes, a uint32 a site (winnow_reach_counts) and a
// uint32 a selector (winnow_infect_counts), which stop at their maximum, and aligned
// to eight a mutant.Values a site (winnow_values) and a mutant.Changes a selector
// (winnow_changes). SiteCount is the length of all in bytes (ProbeLayout).
//
// # Cost
//
// The mutants of a site, 64 at a time, set bits in one word, which is compared
// once with the word of those not yet known to be infected (winnow_todo). When
// that word is empty the comparison is skipped; with Counts it never is.

// The names that a probing build shares with its runtime, besides those of a
// meta-mutant.
const (
	Infected     = "winnow_infected"      // uint8_t[mutants + 1]
	MutantCount  = "winnow_mutants"       // const int32_t
	ReachCounts  = "winnow_reach_counts"  // uint32_t[sites]
	InfectCounts = "winnow_infect_counts" // uint32_t[mutants + 1]
	Values       = "winnow_values"        // uint64_t[sites]
	Changes      = "winnow_changes"       // uint64_t[mutants + 1]
	// Infect is void (int32_t first, uint64_t set): bit k of set says that the
	// mutant first+k is infected.
	Infect = "winnow_infect"
	// LogName is const char[]: the file that a stand-alone build logs to when
	// MART_WM_LOG_OUTPUT does not name one.
	LogName = "winnow_log_name"
)

// ProbeOptions choose what Probe and Cover add.
type ProbeOptions struct {
	// Sites and Mutants are those of the whole program; Define is as in Options.
	Sites, Mutants int
	Define         bool
	// Counts counts executions and infections instead of noting the first, and notes
	// what the values were like.
	Counts bool
	// StandAlone leaves main and the work alone: the program is run by itself,
	// with the runtime of execute.ProbeRuntimeSources, and logs infected (Cover:
	// covered) mutants to a file.
	StandAlone bool
}

// ProbeLayout says where a probing build's table holds what, in bytes.
type ProbeLayout struct{ Infected, ReachCounts, InfectCounts, Values, Changes, Size int }

// Layout returns the layout of the table that these options lead to. Without
// Counts what follows winnow_infected is empty and at the end.
func (o ProbeOptions) Layout() ProbeLayout {
	l := ProbeLayout{Infected: o.Sites, Size: o.Sites + o.Mutants + 1}
	l.ReachCounts, l.InfectCounts, l.Values, l.Changes = l.Size, l.Size, l.Size, l.Size
	if o.Counts {
		l.ReachCounts = (l.Size + 3) / 4 * 4
		l.InfectCounts = l.ReachCounts + 4*o.Sites
		l.Values = (l.InfectCounts + 4*(o.Mutants+1) + 7) / 8 * 8
		l.Changes = l.Values + 8*o.Sites
		l.Size = l.Changes + 8*(o.Mutants+1)
	}
	return l
}

// Probe turns a module into its probing build, in place. The mutants are those
// that operator.Generate made for this very module.
func Probe(m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) {
	newProbe(m, mutants, opts, "WM").rebuilding(m, mutants, false).inPlace()
}

// Cover turns a module into its coverage build, in place: it notes the sites
// reached and nothing else. A stand-alone build logs the mutants of a site when
// it is reached.
func Cover(m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) {
	newProbe(m, mutants, opts, "COV").rebuilding(m, mutants, true).inPlace()
}

// probe holds the module-level names of a probing build.
type probe struct {
	*builder
	opts   ProbeOptions
	layout ProbeLayout
	infect *llir.Func
	notes  notes // of builds with counts
	// panels are those of each site, by its ordinal; todo is the table of their
	// words.
	panels map[int][]*panel
	todo   *llir.Global
}

func newProbe(m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions, kind string) *probe {
	p := &probe{opts: opts, layout: opts.Layout(), panels: map[int][]*panel{}}
	p.builder = newBuilder(m, Options{Sites: p.layout.Size, Define: opts.Define})
	p.infect = m.LLVM.NewFunc(Infect, types.Void, llir.NewParam("", types.I32), llir.NewParam("", types.I64))
	p.infect.FuncAttrs = append(p.infect.FuncAttrs, enum.FuncAttrCold, enum.FuncAttrNoUnwind)
	if opts.Counts {
		p.notes = newNotes(m.LLVM)
	}
	p.makePanels(mutants)
	if !opts.Define {
		return p
	}
	p.reached.Align = 16
	m.LLVM.NewGlobalDef(MutantCount, constant.NewInt(types.I32, int64(opts.Mutants))).Immutable = true
	m.LLVM.NewAlias(Infected, p.entry(p.layout.Infected))
	if opts.Counts {
		m.LLVM.NewAlias(ReachCounts, p.counter(p.layout.ReachCounts))
		m.LLVM.NewAlias(InfectCounts, p.counter(p.layout.InfectCounts))
		m.LLVM.NewAlias(Values, constant.NewBitCast(p.entry(p.layout.Values), types.I64Ptr))
		m.LLVM.NewAlias(Changes, constant.NewBitCast(p.entry(p.layout.Changes), types.I64Ptr))
	}
	if opts.StandAlone {
		name := "mart.defaultFileName." + kind + ".covlabels\x00"
		m.LLVM.NewGlobalDef(LogName, constant.NewCharArrayFromString(name)).Immutable = true
	}
	return p
}

// entry is the address of a byte of the table.
func (p *probe) entry(at int) constant.Constant {
	return constant.NewGetElementPtr(p.reached.ContentType, p.reached, constant.NewInt(types.I64, 0), constant.NewInt(types.I64, int64(at)))
}

func (p *probe) counter(at int) constant.Constant {
	return constant.NewBitCast(p.entry(at), types.NewPointer(types.I32))
}

func (p *probe) rebuilding(m *ir.Module, mutants []mutant.Mutant, coverOnly bool) *rebuilding {
	return &rebuilding{module: m, mutants: mutants, ownMain: !p.opts.StandAlone,
		weave: func(f *llir.Func, mutants []*mutant.Mutant) {
			newProber(p, newWeaver(p.builder, f, mutants), coverOnly).weave()
		}}
}

// panel is up to 64 mutants of one site, which share a word of winnow_todo.
type panel struct {
	first   int32 // selector of bit 0
	mutants []*mutant.Mutant
	word    constant.Constant // the address
}

func (p *panel) bit(m *mutant.Mutant) uint64 { return 1 << uint(m.Selector-p.first) }

// makePanels groups the mutants of each site and lays out their words, in which
// every mutant is still to be infected.
func (p *probe) makePanels(mutants []mutant.Mutant) {
	var all []*panel
	var words []constant.Constant
	for i := range mutants {
		m := &mutants[i]
		of := p.panels[m.Site.Ordinal]
		if n := len(of); n == 0 || m.Selector-of[n-1].first >= 64 {
			of = append(of, &panel{first: m.Selector})
			all = append(all, of[n])
		}
		last := of[len(of)-1]
		last.mutants = append(last.mutants, m)
		p.panels[m.Site.Ordinal] = of
	}
	table := types.NewArray(uint64(len(all)), types.I64)
	for _, of := range all {
		var set uint64
		for _, m := range of.mutants {
			set |= of.bit(m)
		}
		words = append(words, constant.NewInt(types.I64, int64(set)))
	}
	if len(all) == 0 {
		return
	}
	p.todo = p.module.NewGlobalDef("winnow_todo", constant.NewArray(table, words...))
	p.todo.Linkage = enum.LinkageInternal
	for k, of := range all {
		of.word = constant.NewGetElementPtr(table, p.todo, constant.NewInt(types.I64, 0), constant.NewInt(types.I64, int64(k)))
	}
}

// dropPromises removes from the module's own code what lets an optimiser assume
// that the program is free of overflow: where it is not, what the probing build
// compares must still be what the processor computes.
func dropPromises(insts []llir.Instruction) {
	for _, inst := range insts {
		mutant.DropPromises(inst)
		dropFastMath(inst)
	}
}

func isMarker(inst llir.Instruction) bool {
	if ir.IsDebug(inst) {
		return true
	}
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	f, ok := call.Callee.(*llir.Func)
	return ok && slices.Contains(markers, f.Name())
}

// markers are intrinsics without effect on values or memory.
var markers = []string{"llvm.lifetime.start.p0i8", "llvm.lifetime.end.p0i8"}
