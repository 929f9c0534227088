package command

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

// probing is the share of the time that is left which probing may take.
const probing = 4

// Probe runs every test that is not set aside on the probing build, and says which
// mutants it infects. Of a test that does not end there as it does in base, nothing
// is known.
func (e *Engine) Probe(ctx context.Context, base *execute.Baseline) (*execute.ProbeResult, error) {
	out := &execute.ProbeResult{Tests: make([]execute.TestProbe, len(e.tests))}
	begun := time.Now()
	err := e.each(ctx, len(e.tests), func(ctx context.Context, c *client, test int) error {
		t := &base.Tests[test]
		if t.SetAside != "" {
			out.Tests[test].Unprobed = "the test is set aside"
			return nil
		}
		answer, err := c.do(ctx, e.request(test, probeBuild, 0, 0, e.probingWall(begun)))
		if err != nil {
			return fmt.Errorf("probing test %s: %w", e.tests[test].Name, err)
		}
		out.Tests[test] = e.probeOf(test, t, answer)
		if len(e.tests[test].Cases) > 0 && out.Tests[test].Unprobed == "" {
			return e.probeCases(ctx, c, test, t, e.probingWall(begun))
		}
		return nil
	})
	return out, err
}

// probingWall is how long a probing run may take: comparing takes its time, and no work is counted.
func (e *Engine) probingWall(begun time.Time) time.Duration {
	wall := 10 * e.options.BaselineWall
	if until := e.options.Until; !until.IsZero() {
		wall = min(wall, max(until.Sub(begun)/probing-time.Since(begun), 0))
	}
	return wall
}

func (e *Engine) probeOf(test int, base *execute.TestBaseline, answer *reply) execute.TestProbe {
	shape := e.builds.Shape
	seen := readTable(answer.Table, shape.Size)
	switch o := e.outcome(test, answer, seen); {
	case answer.TimedOut:
		return execute.TestProbe{Unprobed: "the probing build takes too long"}
	case !o.Same(base.Outcome, execute.ExitStatus):
		return execute.TestProbe{Unprobed: fmt.Sprintf("the probing build behaves differently (%v; the original: %v)", o, base.Outcome)}
	case seen.full:
		return execute.TestProbe{Unprobed: fmt.Sprintf("it ran more than %d processes at once", slots)}
	}
	t := execute.TestProbe{Infected: execute.NewBits(shape.Mutants + 1), Inside: execute.NewBits(shape.Sites)}
	for _, process := range seen.sites {
		infected := process[shape.Sites : shape.Sites+shape.Mutants+1]
		if infected[0] != 0 {
			return execute.TestProbe{Unprobed: "the program reads a local variable that has no value"}
		}
		for site, state := range process[:shape.Sites] {
			if state > 1 {
				t.Inside.Set(site)
			}
		}
		for selector, state := range infected {
			if state != 0 {
				t.Infected.Set(selector)
			}
		}
	}
	return t
}
