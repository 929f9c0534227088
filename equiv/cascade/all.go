package cascade

import (
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/constraint"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Options are what can be chosen about the stages; each reads its own.
type Options struct {
	Tools *clang.Toolchain
	TCE   tce.Options
}

// All returns the stages, the cheapest first. Where a way to compare by the optimiser was
// chosen that is not the default, as for a comparison with what others published, it is the
// only stage.
func All(o Options) []equiv.Stage {
	if name := o.TCE.Passes.Name; name != "" && name != tce.All()[0].Name {
		return []equiv.Stage{tce.Stage(o.Tools, o.TCE)}
	}
	return []equiv.Stage{
		constraint.Stage(o.TCE.Workers, nil),
		tce.Stage(o.Tools, o.TCE),
	}
}
