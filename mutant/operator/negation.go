package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"
)

// isOnlyNegated reports a truth value that `!` alone uses: its mutants are
// those of the negation.
func (fn *function) isOnlyNegated(v value.Value) bool {
	for _, user := range fn.users[v] {
		if xor, ok := user.(*llir.InstXor); !ok || !isLogicalNot(xor) {
			return false
		}
	}
	return len(fn.users[v]) > 0
}

// isLogicalNot reports `xor i1 x, true`, which clang makes of `!x`.
func isLogicalNot(i *llir.InstXor) bool {
	c, ok := i.Y.(*constant.Int)
	return ok && c.Typ.BitSize == 1 && c.X.Sign() != 0
}
