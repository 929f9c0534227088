package built

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

// Inputs are how the subject of a build is compiled, each source of the project as often as flags make
// other code of it. A source is named where the project in folder has it, unless the build made it.
func Inputs(ctx context.Context, tools *clang.Toolchain, c *capture.Capture, folder string, workers int) ([]program.Input, error) {
	r := &recording{build: c, builder: &build.Builder{Tools: tools}, opts: Options{Workers: workers}}
	variants, err := r.variantsOf(ctx)
	if err != nil {
		return nil, err
	}
	var out []program.Input
	for _, v := range variants {
		in := v.input
		if in.Only != nil {
			continue // without tests a source needs no second copy
		}
		if below, err := filepath.Rel(c.Path("source"), in.Path); err == nil && filepath.IsLocal(below) {
			if own := filepath.Join(folder, below); sameFile(own, in.Path) {
				// What the build made beside the source is beside that of the copy.
				in.Flags = append(slices.Clone(in.Flags), "-iquote", filepath.Dir(in.Path))
				in.Path = own
			}
		}
		out = append(out, in)
	}
	return out, nil
}

func sameFile(a, b string) bool {
	x, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	y, err := os.ReadFile(b)
	return err == nil && bytes.Equal(x, y)
}
