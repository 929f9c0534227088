package operator

import (
	"math/big"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// increment replaces ++ and -- by one another, moves them from one side of the
// operand to the other, and drops them.
var increment = Operator{
	Name: "increment",
	Doc:  "changes ++ and --: `i++` becomes `i--`, `++i`, `i`",
	Match: func(p *Place) []Proposal {
		inc := p.fn.incrementOf[p.Inst]
		if p.Inst == nil || inc == nil {
			return nil
		}
		out := []Proposal{inc.flip(p), inc.drop(p)}
		if moved, ok := inc.move(p); ok {
			out = append(out, moved)
		}
		return out
	},
}

// step is one ++ or --: a load, an addition of 1 or -1, and a store back.
type step struct {
	load  *llir.InstLoad
	sum   llir.Instruction // add, sub, or getelementptr for pointers
	store *llir.InstStore
	by    int64
	// prefix: the value used is the new one.
	prefix  bool
	pointer bool
	// consumer uses the expression's value; nil when nobody or more than one
	// instruction of the block does.
	consumer llir.Instruction
}

// stepsOf finds the increments of a block.
func stepsOf(b *llir.Block, users usedOutside) []*step {
	at := map[llir.Instruction]int{}
	for i, inst := range b.Insts {
		at[inst] = i
	}
	var out []*step
	for _, inst := range b.Insts {
		store, ok := inst.(*llir.InstStore)
		if !ok {
			continue
		}
		s, ok := stepOf(store)
		if !ok {
			continue
		}
		for _, user := range append(users[s.sum.(value.Value)], users[s.load]...) {
			if user == any(s.store) || user == any(s.sum) {
				continue
			}
			if consumer, ok := user.(llir.Instruction); ok && s.consumer == nil && at[consumer] > at[s.sum] {
				s.consumer = consumer
			} else {
				s.consumer = nil
				break
			}
		}
		s.prefix = len(users[s.sum.(value.Value)]) > 1
		out = append(out, s)
	}
	return out
}

func stepOf(store *llir.InstStore) (*step, bool) {
	s := &step{store: store}
	var from value.Value
	var name string
	switch sum := store.Src.(type) {
	case *llir.InstAdd:
		s.sum, from, name, s.by = sum, sum.X, sum.Name(), unit(sum.Y)
	case *llir.InstFAdd:
		s.sum, from, name, s.by = sum, sum.X, sum.Name(), unit(sum.Y)
	case *llir.InstGetElementPtr:
		if len(sum.Indices) != 1 {
			return nil, false
		}
		s.sum, from, name, s.by, s.pointer = sum, sum.Src, sum.Name(), unit(sum.Indices[0]), true
	default:
		return nil, false
	}
	load, ok := from.(*llir.InstLoad)
	if !ok || s.by == 0 || load.Src != store.Dst || !isStepName(name) {
		return nil, false
	}
	s.load = load
	return s, true
}

func unit(v value.Value) int64 {
	if c, ok := v.(*constant.Float); ok {
		if k, accuracy := c.X.Int64(); accuracy == big.Exact && (k == 1 || k == -1) {
			return k
		}
		return 0
	}
	for _, k := range []int64{1, -1} {
		if isInt(v, k) {
			return k
		}
	}
	return 0
}

// isStepName tells `x++` from `x += 1`, whose IR differs only in the name that
// clang gives the sum; where names were discarded both count as steps.
func isStepName(name string) bool {
	return strings.HasPrefix(name, "inc") || strings.HasPrefix(name, "dec") || strings.HasPrefix(name, "r.")
}

func (s *step) fragment(prefix bool, by int64) string {
	name := "RIGHT"
	if prefix {
		name = "LEFT"
	}
	if by > 0 {
		name += "INC"
	} else {
		name += "DEC"
	}
	if s.pointer {
		name = "P" + name
	}
	return name
}

func (s *step) face(r *face.Renderer, prefix bool, by int64) face.Text {
	sign := "++"
	if by < 0 {
		sign = "--"
	}
	x := r.At(s.load.Src)
	if prefix {
		return face.Text{C: sign + x.In(face.Unary), Prec: face.Unary}
	}
	return face.Text{C: x.In(face.Postfix) + sign, Prec: face.Postfix}
}

func (s *step) text(r *face.Renderer) string { return s.face(r, s.prefix, s.by).C }

func (s *step) proposal(p *Place, replacer string, replacement face.Text, edit mutant.Edit) Proposal {
	return Proposal{
		Matcher: s.fragment(s.prefix, s.by), Replacer: replacer,
		Original: s.face(p.Face, s.prefix, s.by), Replacement: replacement,
		Edit: edit, Position: ir.PositionOf(s.sum),
	}
}

func (s *step) flip(p *Place) Proposal {
	return s.proposal(p, s.fragment(s.prefix, -s.by), s.face(p.Face, s.prefix, -s.by), mutant.Rewrite{
		Insts: []llir.Instruction{s.sum},
		Emit: func(c *mutant.Code) value.Value {
			twin := c.Copy(s.sum)
			switch t := twin.(type) {
			case *llir.InstAdd:
				t.Y = number(t.Y.Type(), -s.by)
			case *llir.InstFAdd:
				t.Y = number(t.Y.Type(), -s.by)
			case *llir.InstGetElementPtr:
				t.Indices[0] = number(t.Indices[0].Type(), -s.by)
			}
			return twin.(value.Value)
		},
	})
}

func (s *step) drop(p *Place) Proposal {
	return s.proposal(p, "OPERAND", p.Face.At(s.load.Src), mutant.Rewrite{
		Insts: []llir.Instruction{s.sum},
		Emit:  func(*mutant.Code) value.Value { return s.load },
	})
}

// move makes `x++` of `++x` and the reverse, at the instruction that uses the
// value.
func (s *step) move(p *Place) (Proposal, bool) {
	if s.consumer == nil {
		return Proposal{}, false
	}
	used, instead := value.Value(s.load), s.sum.(value.Value)
	if s.prefix {
		used, instead = instead, used
	}
	return s.proposal(p, s.fragment(!s.prefix, s.by), s.face(p.Face, !s.prefix, s.by), mutant.Rewrite{
		Insts: []llir.Instruction{s.consumer},
		Emit:  func(c *mutant.Code) value.Value { return copyWith(c, s.consumer, used, instead) },
	}), true
}

// copyWith emits a copy of an instruction that uses another value in the place
// of one of its operands.
func copyWith(c *mutant.Code, inst llir.Instruction, old, instead value.Value) value.Value {
	twin := c.Copy(inst)
	for _, slot := range operandsOf(twin) {
		if arg, ok := (*slot).(*llir.Arg); ok {
			slot = &arg.Value
		}
		if *slot == old {
			*slot = instead
		}
	}
	result, _ := twin.(value.Value)
	return result
}
