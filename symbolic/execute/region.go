package execute

import "encoding/binary"

// Region says which blocks are reached from one before a cut.
func (f *Function) Region(from int) []bool {
	out := make([]bool, f.blocks)
	out[from] = true
	for stack := []int{from}; len(stack) > 0; {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, t := range f.targets(b, nil) {
			if t < f.blocks && !f.cuts[t] && !out[t] {
				out[t] = true
				stack = append(stack, t)
			}
		}
	}
	return out
}

// Signature appends what tells outcomes apart: two versions with one signature from every
// cut do the same.
func (f *Function) Signature(to []byte, of []Outcome) []byte {
	to = binary.AppendVarint(to, int64(len(of)))
	for _, o := range of {
		to = append(to, byte(o.Kind))
		to = binary.AppendVarint(to, int64(o.Block))
		terms := []uint32{o.When.ID, o.State.Trace.ID, o.State.Trapped.ID}
		if o.Value != nil {
			terms = append(terms, o.Value.ID)
		}
		switch o.Kind {
		case Returns:
			terms = append(terms, f.withoutLocals(o.State.Memory).ID)
		case Cuts:
			terms = append(terms, o.State.Memory.ID)
			for _, l := range o.State.Locals {
				terms = append(terms, l.ID)
			}
		}
		for _, id := range terms {
			to = binary.AppendUvarint(to, uint64(id))
		}
	}
	return to
}
