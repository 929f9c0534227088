package concrete

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"
)

// libraryFunction is a function of the C library whose result follows from its
// arguments and from memory. Paths know some; to others, and to stretches of code, they
// are functions like any other.
type libraryFunction int

const (
	anyFunction libraryFunction = iota
	strlenFunction
	scanfFunction  // reads as many values as it has addresses
	fscanfFunction // has one address more, of the stream
	absFunction
)

// libraryFunctions are those, by the names that C gives them.
var libraryFunctions = map[string]libraryFunction{
	"strlen": strlenFunction, "scanf": scanfFunction, "__isoc99_scanf": scanfFunction,
	"fscanf": fscanfFunction, "__isoc99_fscanf": fscanfFunction, "sscanf": fscanfFunction, "__isoc99_sscanf": fscanfFunction,
	"abs": absFunction, "labs": absFunction, "llabs": absFunction,
}

// knownCallee is what a call calls, if the program does not define it.
func knownCallee(call *llir.InstCall) libraryFunction {
	if f, ok := call.Callee.(*llir.Func); ok && len(f.Blocks) == 0 {
		return libraryFunctions[f.Name()]
	}
	return anyFunction
}

// number tells the operations of a code apart; what a call calls is among its operands.
func (o *op) number() uint64 {
	if o.code == callOp {
		return uint64(o.code) << 32
	}
	return uint64(o.code)<<32 | uint64(o.what)
}

// longestText bounds what strlen counts.
const longestText = 256

// library is the result of a call, if it is of a function that is known; h tells calls
// apart.
func (p *Path) library(o *op, h uint64) (int64, bool) {
	switch libraryFunction(o.what) {
	case strlenFunction:
		if len(o.args) != 2 {
			return 0, false
		}
		at := p.get(o.args[1])
		for n := range int64(longestText) {
			if p.at(at+n, 8) == 0 {
				return n, true
			}
		}
		return longestText, true
	case scanfFunction, fscanfFunction:
		// The end of the input comes one time in sixteen. Else there is a value for each
		// address that follows the format, which fscanf has one place later.
		if h>>16%16 == 0 {
			return -1, true
		}
		return int64(max(0, len(o.args)-1-int(libraryFunction(o.what)-scanfFunction+1))), true
	case absFunction:
		if len(o.args) != 2 {
			return 0, false
		}
		x := p.get(o.args[1])
		return max(x, -x), true
	}
	return 0, false
}

// startsAtZero says that memory holds 0 where nothing was written: of the variables
// with a name outside of functions that have no other beginning, when the path is of
// main, before which nobody wrote them.
func (p *Path) startsAtZero(at int64) bool {
	return p.fromMain && at >= firstGlobal && p.program.zeroed[(at-firstGlobal)>>20]
}

// beginsAtZero reports a variable without an initial value, or with 0.
func beginsAtZero(v value.Value) bool {
	g, ok := v.(*llir.Global)
	if !ok || g.Init == nil {
		return false
	}
	switch init := g.Init.(type) {
	case *constant.ZeroInitializer, *constant.Null:
		return true
	case *constant.Int:
		return init.X.Sign() == 0
	}
	return false
}
