package schemata

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Builds with counts also tell what the values were like: at a site, whenever it is
// executed, that of the original, and of its mutants, whenever one of the panel is
// infected, the difference that each makes. The runtime sorts both (mutant.Values and
// mutant.Changes).

// notes are the functions of the runtime that do so:
//
//	void winnow_value(int32_t site, int64_t value)
//	void winnow_value_real(int32_t site, double value)
//	void winnow_change(int32_t mutant, int64_t original, int64_t ours)
//	void winnow_change_real(int32_t mutant, double original, double ours)
//	void winnow_change_way(int32_t mutant, int64_t original, int64_t ours)
type notes struct{ value, valueReal, change, changeReal, changeWay *llir.Func }

func newNotes(m *llir.Module) notes {
	declare := func(name string, of types.Type, values int) *llir.Func {
		params := []*llir.Param{llir.NewParam("", types.I32)}
		for range values {
			params = append(params, llir.NewParam("", of))
		}
		f := m.NewFunc(name, types.Void, params...)
		f.FuncAttrs = append(f.FuncAttrs, enum.FuncAttrNoUnwind)
		return f
	}
	return notes{
		value: declare("winnow_value", types.I64, 1), valueReal: declare("winnow_value_real", types.Double, 1),
		change: declare("winnow_change", types.I64, 2), changeReal: declare("winnow_change_real", types.Double, 2),
		changeWay: declare("winnow_change_way", types.I64, 2),
	}
}

// changed is a value of the original beside a mutant's.
type changed struct {
	selector       int32
	way            bool // the two are numbers of blocks
	original, ours value.Value
}

// sight is a value of the original at a site.
type sight struct {
	ordinal int
	value   value.Value
}

// sights is what there is to see at a site: what its last instruction computes or
// stores, or what its branch depends on. Addresses differ from run to run, and are not
// looked at.
func (s *sitePlan) sights(ordinal int) []step {
	if !s.probe.opts.Counts || s.coverOnly {
		return nil
	}
	var seen value.Value
	switch t := s.term.(type) {
	case *llir.TermCondBr:
		seen = t.Cond
	case *llir.TermSwitch:
		seen = t.X
	case *llir.TermRet:
		seen = t.X
	}
	if s.term == nil {
		switch last := s.o.insts[len(s.o.insts)-1].(type) {
		case *llir.InstStore:
			seen = last.Src
		case value.Value:
			seen = last
		}
	}
	if seen == nil || !isNumber(seen.Type()) {
		return nil
	}
	return []step{{sight: &sight{ordinal, seen}}}
}

// look notes the value of the original.
func (p *prober) look(s *sight) {
	site := constant.NewInt(types.I32, int64(s.ordinal))
	if x, real := p.widen(s.value); real {
		p.add(llir.NewCall(p.probe.notes.valueReal, site, x))
	} else {
		p.add(llir.NewCall(p.probe.notes.value, site, x))
	}
}

// noteChange notes the difference that a mutant makes, if it does.
func (p *prober) noteChange(c changed) {
	original, real := p.widen(c.original)
	ours, _ := p.widen(c.ours)
	f := p.probe.notes.change
	switch {
	case c.way:
		f = p.probe.notes.changeWay
	case real:
		f = p.probe.notes.changeReal
	}
	p.add(llir.NewCall(f, constant.NewInt(types.I32, int64(c.selector)), original, ours))
}

func isNumber(t types.Type) bool {
	switch t.(type) {
	case *types.IntType, *types.FloatType:
		return true
	}
	return false
}

// widen makes an int64 of an integer or an address, and a double of a real number.
// Truth values are 0 and 1.
func (p *prober) widen(v value.Value) (wide value.Value, real bool) {
	switch t := v.Type().(type) {
	case *types.PointerType:
		return p.add(llir.NewPtrToInt(v, types.I64)), false
	case *types.FloatType:
		switch t.Kind {
		case types.FloatKindDouble:
			return v, true
		case types.FloatKindHalf, types.FloatKindFloat:
			return p.add(llir.NewFPExt(v, types.Double)), true
		}
		return p.add(llir.NewFPTrunc(v, types.Double)), true
	case *types.IntType:
		switch {
		case t.BitSize == 1:
			return p.add(llir.NewZExt(v, types.I64)), false
		case t.BitSize < 64:
			return p.add(llir.NewSExt(v, types.I64)), false
		case t.BitSize > 64:
			return p.add(llir.NewTrunc(v, types.I64)), false
		}
	}
	return v, false
}
