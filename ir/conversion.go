package ir

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"
)

// ConvertedBy returns what an instruction makes a value of another type, or of the same
// bits, of; false of what is no conversion.
func ConvertedBy(inst any) (value.Value, bool) {
	switch i := inst.(type) {
	case *llir.InstTrunc:
		return i.From, true
	case *llir.InstZExt:
		return i.From, true
	case *llir.InstSExt:
		return i.From, true
	case *llir.InstFPTrunc:
		return i.From, true
	case *llir.InstFPExt:
		return i.From, true
	case *llir.InstFPToUI:
		return i.From, true
	case *llir.InstFPToSI:
		return i.From, true
	case *llir.InstUIToFP:
		return i.From, true
	case *llir.InstSIToFP:
		return i.From, true
	case *llir.InstPtrToInt:
		return i.From, true
	case *llir.InstIntToPtr:
		return i.From, true
	case *llir.InstBitCast:
		return i.From, true
	case *llir.InstAddrSpaceCast:
		return i.From, true
	case *llir.InstFreeze:
		return i.X, true
	}
	return nil, false
}
