package concrete

import (
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"
)

func constantWord(v value.Value) (int64, bool) {
	switch k := v.(type) {
	case *constant.Int:
		if k.Typ.BitSize == 1 {
			return int64(k.X.Sign() & 1), true
		}
		x := k.X.Int64()
		if !k.X.IsInt64() {
			x = int64(k.X.Uint64())
		}
		return kind(min(k.Typ.BitSize, 64)).wrap(x), true
	case *constant.Float:
		if k.NaN || k.X == nil {
			return floatWord(0), true
		}
		f, _ := k.X.Float64()
		return floatWord(f), true
	case *constant.Null, *constant.ZeroInitializer, *constant.Undef:
		return 0, true
	}
	return 0, false
}
