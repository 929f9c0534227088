package coverage

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// Wanted says what a run measures beside its own criteria, and when.
type Wanted struct {
	Tools []Found
	// First measures before the tests have been checked: of a suite that fails one learns what
	// it covers, and then the run ends. Otherwise such a run ends before anything is measured.
	First bool
	// Told gets what was measured First; nil is not told.
	Told func(all []*criterion.Matrix)
}

// Before and After say whether to measure before the tests are checked, and after. Of
// nil is nothing wanted.
func (w *Wanted) Before() bool { return w != nil && w.First }

// After is the other occasion.
func (w *Wanted) After() bool { return w != nil && !w.First }

// Names are those of the tools, with commas between.
func (w *Wanted) Names() string {
	var out []string
	if w != nil {
		for _, tool := range w.Tools {
			out = append(out, tool.Name)
		}
	}
	return strings.Join(out, ",")
}

// Measured is what came of it.
type Measured struct {
	Matrices []*criterion.Matrix
	// Took is how long each of Wanted.Tools took.
	Took []time.Duration
	// Failed are the tools that failed, with the reason: a run goes on without them.
	Failed []string
}

// Measure measures a target, as the package's function does.
func (w *Wanted) Measure(ctx context.Context, t *Target, keep string) (*Measured, error) {
	out := &Measured{}
	for k := range w.Tools {
		start := time.Now()
		made, err := Measure(ctx, w.Tools[k:k+1], t, keep)
		if errors.Is(err, ErrTool) {
			out.Failed = append(out.Failed, err.Error())
		} else if err != nil {
			return nil, err
		}
		out.Matrices, out.Took = append(out.Matrices, made...), append(out.Took, time.Since(start))
	}
	if w.First && w.Told != nil {
		w.Told(out.Matrices)
	}
	return out, nil
}
