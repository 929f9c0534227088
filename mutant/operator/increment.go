package operator

import (
	"math/big"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant/face"
)

// step is one ++ or --: a load, an addition of 1 or -1, and a store back.
type step struct {
	load  *llir.InstLoad
	sum   llir.Instruction // add, sub, or getelementptr for pointers
	store *llir.InstStore
	by    int64
	// prefix: the value used is the new one.
	prefix  bool
	pointer bool
}

// stepsOf finds the increments of a block.
func stepsOf(b *llir.Block, users usedOutside) []*step {
	var out []*step
	for _, inst := range b.Insts {
		store, ok := inst.(*llir.InstStore)
		if !ok {
			continue
		}
		if s, ok := stepOf(store); ok {
			s.prefix = len(users[s.sum.(value.Value)]) > 1
			out = append(out, s)
		}
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
