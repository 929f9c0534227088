package execute

import "github.com/winnow-mutants/winnow/analysis/op"

// Live says which variables the function, with a change or without, may still read at each
// cut: what others hold there makes no difference.
func (f *Function) Live(change *Change) map[int][]bool {
	in := make([][]bool, f.blocks)
	reads, writes := make([][]bool, f.blocks), make([][]bool, f.blocks)
	for b := range in {
		in[b] = make([]bool, len(f.locals))
		reads[b], writes[b] = make([]bool, len(f.locals)), make([]bool, len(f.locals))
		f.uses(b, change, reads[b], writes[b])
	}
	var changes []*Change
	if change != nil {
		changes = []*Change{change}
	}
	for again := true; again; {
		again = false
		for k := len(f.order) - 1; k >= 0; k-- {
			b := f.order[k]
			for v := range f.locals {
				if in[b][v] {
					continue
				}
				live := reads[b][v]
				for _, t := range f.targets(b, changes) {
					live = live || t < f.blocks && in[t][v] && !writes[b][v]
				}
				if live {
					in[b][v], again = true, true
				}
			}
		}
	}
	out := map[int][]bool{}
	for _, v := range f.carried {
		for b := range in {
			in[b][v] = true
		}
	}
	for _, c := range f.Cuts() {
		out[c] = in[c]
	}
	return out
}

// uses finds the variables that a block reads before it writes them, and those that it
// writes as a whole. In a block with a change it reads what either version reads, and
// writes nothing.
func (f *Function) uses(b int, change *Change, reads, writes []bool) {
	changed := false
	note := func(o *op.Op, origin func(op.Operand) int) {
		from := func(k int) {
			if v := origin(o.Args[k]); v >= 0 && !writes[v] {
				reads[v] = true
			}
		}
		switch o.Code {
		case op.Load:
			from(0)
		case op.Store:
			v := origin(o.Args[0])
			if v >= 0 && f.locals[v].place == asScalar && !changed {
				writes[v] = true
			}
		case op.Call:
			for k := range o.Args {
				from(k)
			}
		}
	}
	code := f.code.Code
	ofItem := func(a op.Operand) int {
		if a.Kind == op.Item {
			return f.origins[a.X]
		}
		return -1
	}
	if change != nil && code.Items[change.At].Block == b {
		changed = true
		of := f.ofChange[change]
		for k := range change.Code.Ops {
			note(&change.Code.Ops[k], func(a op.Operand) int {
				if a.Kind == op.Scratch {
					return of[a.X]
				}
				return ofItem(a)
			})
		}
	}
	for i := code.First[b]; i < code.First[b+1]; i++ {
		note(&f.code.Ops[i], ofItem)
	}
}
