package command

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

// mostSegments bounds, in bytes, what a run may reach line by line.
const mostSegments = 64 << 20

// caseProbe is what a case reaches, by site, and what is infected, by selector, when it has ended: by it or by one before.
type caseProbe struct{ reached, infected execute.Bits }

// probeCases runs a test on the probing build once more and finds out what each of its cases reaches: what the
// processes with mutated code reached while they printed the lines from the case before up to its own. What one reached that
// prints elsewhere, or that ended without saying so, counts for every case.
func (e *Engine) probeCases(ctx context.Context, c *client, test int, base *execute.TestBaseline, wall time.Duration) error {
	r := e.request(test, probeBuild, 0, 0, wall)
	r.Cases, r.Env = true, append(r.Env, "WINNOW_CASES="+casesPath)
	answer, err := c.do(ctx, r)
	if err != nil {
		return fmt.Errorf("probing the cases of test %s: %w", e.tests[test].Name, err)
	}
	seen := readTable(answer.Table, e.builds.Shape.Size)
	if answer.TimedOut || seen.full || !e.outcome(test, answer, seen).Same(base.Outcome, execute.ExitStatus) {
		return nil
	}
	e.probed[test] = e.segments(e.tests[test].Cases, answer, seen)
	return nil
}

// segments takes apart what a run reached line by line: note_case of runtime/select.c.
func (e *Engine) segments(cases []string, answer *reply, seen table) []caseProbe {
	shape := e.builds.Shape
	said := readResults(answer)
	ends := map[string]int64{}
	for k, name := range said.passed {
		ends[name] = said.ends[k]
	}
	for k, name := range cases {
		if ends[name] <= 0 || k > 0 && ends[name] <= ends[cases[k-1]] {
			return nil // not printed, printed elsewhere, or in another order
		}
	}
	out := make([]caseProbe, len(cases)+1) // the last is what comes behind them
	for k := range out {
		out[k] = caseProbe{execute.NewBits(shape.Sites), execute.NewBits(shape.Mutants + 1)}
	}
	add := func(to *caseProbe, at int) {
		if at < shape.Sites {
			to.reached.Set(at)
		} else if at -= shape.Sites; at <= shape.Mutants {
			to.infected.Set(at)
		}
	}
	size := 8 + (max(shape.Size, 1)+7)/8
	if len(answer.Cases) == 0 || len(answer.Cases)%size != 0 {
		return nil
	}
	for note := range slices.Chunk(answer.Cases, size) {
		printed := int64(binary.LittleEndian.Uint64(note))
		of := out // of every case
		if printed != -1 {
			if printed < -1 { // the end of a process: what it did belongs to the next line
				printed = -2 - printed + 1
			}
			k, _ := slices.BinarySearchFunc(cases, printed, func(name string, printed int64) int { return cmp.Compare(ends[name], printed) })
			of = out[k : k+1]
		}
		for at, bits := range note[8:] {
			for bit := 0; bits != 0; bits, bit = bits>>1, bit+1 {
				if bits&1 != 0 {
					for k := range of {
						add(&of[k], 8*at+bit)
					}
				}
			}
		}
	}
	for _, process := range seen.sites {
		for at, state := range process[:shape.Sites+shape.Mutants+1] {
			if state != 0 {
				for k := range out {
					add(&out[k], at)
				}
			}
		}
	}
	// A test that prints all results when everything is done does not say what is whose.
	if !slices.ContainsFunc(out[1:], func(p caseProbe) bool { return p.reached.Count() > 0 }) {
		return nil
	}
	// A probing build notes the first infection of a mutant and no other, so that a later case may infect it as well.
	for k := 1; k < len(out); k++ {
		for word, before := range out[k-1].infected {
			out[k].infected[word] |= before
		}
	}
	return slices.Concat(out[len(cases):], out[:len(cases)])
}
