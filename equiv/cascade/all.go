package cascade

import (
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Options are what can be chosen about the stages; each reads its own.
type Options struct {
	Tools *clang.Toolchain
	TCE   tce.Options
}

// All returns the stages, the cheapest first.
func All(o Options) []equiv.Stage {
	return []equiv.Stage{
		tce.Stage(o.Tools, o.TCE),
	}
}
