package execute

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// Prober runs a probing build (mutant/schemata, Probe): one run a test tells
// which mutants the test infects. A mutant that a test does not infect survives
// it, and needs no run of its own (Options.Probe).
type Prober struct {
	engine *Engine
	shape  ProbeShape
}

// ProbeShape says what a probing build's table holds: twice the offsets of
// schemata.ProbeLayout, in bytes.
type ProbeShape struct {
	Sites, Mutants int
	// Counts says that the build counts and notes values; they are at these offsets.
	Counts                    bool
	ReachCounts, InfectCounts int
	Values, Changes           int
	Size                      int
}

// ProbeResult is what the probing runs told, by test.
type ProbeResult struct {
	Tests []TestProbe
}

// TestProbe is what one probing run told.
type TestProbe struct {
	// Unprobed says why nothing is known of the test, so that it counts as
	// infecting every mutant it reaches; "" when something is.
	Unprobed string
	// Infected holds the selectors of the mutants that the test infects, Inside
	// the sites in which the program was when it ended, whose mutants count as
	// infected too.
	Infected, Inside Bits
	// ReachCounts by site and InfectCounts by selector say how often, at most
	// 2³²-1 times; nil unless the build counts.
	ReachCounts, InfectCounts []uint32
	// Values by site and Changes by selector are sets of what the values were like
	// (mutant.Values and mutant.Changes); nil alike.
	Values, Changes []uint64
}

// Infects says whether the test infects a mutant, as far as is known.
func (t *TestProbe) Infects(m Mutant) bool {
	return t.Unprobed != "" || t.Infected.Has(int(m.Selector)) || t.Inside.Has(m.Site)
}

// StartProbe loads a probing build. Close must be called at the end.
func StartProbe(ctx context.Context, executable string, tests []Test, shape ProbeShape, options Options) (*Prober, error) {
	e, err := Start(ctx, executable, tests, options)
	if err != nil {
		return nil, err
	}
	if e.sites != shape.Size {
		return nil, errors.Join(fmt.Errorf("execute: %s is no probing build of %d sites and %d mutants: its table has %d bytes, not %d",
			executable, shape.Sites, shape.Mutants, e.sites, shape.Size), e.Close())
	}
	return &Prober{engine: e, shape: shape}, nil
}

// Close ends the prober.
func (p *Prober) Close() error { return p.engine.Close() }

// Run probes every test that is not set aside. The baseline is the
// meta-mutant's on the same tests: where the probing run behaves otherwise, or
// does not do the same work, nothing it says counts.
func (p *Prober) Run(ctx context.Context, base *Baseline) (*ProbeResult, error) {
	e := p.engine
	if len(base.Tests) != len(e.tests) {
		return nil, fmt.Errorf("execute: the baseline is of %d tests, the prober has %d", len(base.Tests), len(e.tests))
	}
	out := &ProbeResult{Tests: make([]TestProbe, len(e.tests))}
	err := e.eachTask(ctx, len(e.tests), func(ctx context.Context, w *worker, test int) error {
		t := &base.Tests[test]
		if t.SetAside != "" {
			out.Tests[test].Unprobed = "the test is set aside"
			return nil
		}
		b, err := e.originalBatch(test)
		if err != nil {
			return err
		}
		b.want, b.selectors, b.fuel = wantReached, []int32{0}, e.options.fuel(t)
		b.tier = Fork                // one run a test: there is nothing to be gained
		b.wall += e.options.fence(t) // comparing takes its time
		seen, err := w.decide(ctx, b)
		if err != nil {
			return err
		}
		out.Tests[test] = p.read(t, seen[0])
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("probing: %w", err)
	}
	return out, nil
}

// read takes what a run told apart.
func (p *Prober) read(base *TestBaseline, seen decided) TestProbe {
	if seen.Cause == CauseFailed {
		return TestProbe{Unprobed: "it could not be run: " + seen.failure}
	}
	if !seen.Same(base.Outcome, ExitStatus) || seen.Work != base.Work {
		return TestProbe{Unprobed: fmt.Sprintf("the probing build behaves differently (%v after work %d; the original: %v after %d)",
			seen.Outcome, seen.Work, base.Outcome, base.Work)}
	}
	if len(seen.reached) != p.shape.Size || !base.ReachedKnown {
		return TestProbe{Unprobed: "it ended in a way that hid what it reached"}
	}
	infected := seen.reached[p.shape.Sites:]
	if infected[0] != 0 {
		return TestProbe{Unprobed: "the program reads a local variable that has no value"}
	}
	t := TestProbe{Infected: NewBits(p.shape.Mutants + 1), Inside: NewBits(p.shape.Sites)}
	for site, state := range seen.reached[:p.shape.Sites] {
		if (state != 0) != base.Reached.Has(site) {
			return TestProbe{Unprobed: fmt.Sprintf("the probing build does not reach the same sites (site %d)", site)}
		}
		if state > 1 {
			t.Inside.Set(site)
		}
	}
	for selector := 1; selector <= p.shape.Mutants; selector++ {
		if infected[selector] != 0 {
			t.Infected.Set(selector)
		}
	}
	if p.shape.Counts {
		t.ReachCounts = counts(seen.reached[p.shape.ReachCounts:], p.shape.Sites)
		t.InfectCounts = counts(seen.reached[p.shape.InfectCounts:], p.shape.Mutants+1)
		t.Values = sets(seen.reached[p.shape.Values:], p.shape.Sites)
		t.Changes = sets(seen.reached[p.shape.Changes:], p.shape.Mutants+1)
	}
	return t
}

func counts(bytes []byte, n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return out
}

func sets(bytes []byte, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	return out
}
