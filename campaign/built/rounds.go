package built

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program"
)

// Rounds. Nobody knows beforehand how many mutants of a project can be decided in some
// minutes: what making one costs, and what running one, differs between projects by a
// factor of a thousand, and between a machine at rest and a busy one by ten more. So a
// run with Options.Until and Options.Grow begins with few mutants, of some of the files,
// and decides them; what that took says how many more there is time for. Each round makes
// the mutants of the one before again, so that all are compared with each other, and does
// not run those again that are decided; what the compiler said of a source is not asked again.
// There is none beyond Mutation.Most: nobody reads ten thousand mutants, and where
// tests take milliseconds making them takes most of the time. A round is given up when the time is up: what was
// decided before it is the result then.

// size is what a round works on.
type size struct {
	// most is about how many mutants are made, and files of how many sources; 0 is all.
	most, files int
}

// What a round is like.
const (
	// firstMost mutants a second of the time that there is are made in the first round.
	firstMost = 5
	// leastMost and mostFirst bound them, for the first survivors are to be seen soon. firstSuite
	// a second that its tests take, up to mostSuite, are not too many: each round runs them twice,
	// and that is to be worth it.
	leastMost  = 200
	mostFirst  = 500
	firstSuite = 30
	mostSuite  = 1500
	// perFile is how many mutants a source has at least before one more is taken up:
	// compiling one costs as much as about so many mutants.
	perFile = 25
	// perMutant is how much C, in bytes, is looked at for a mutant: all mutants of a source
	// are found before some are chosen.
	perMutant = 400
	// fewer is by how much a first round is made smaller that takes too long, down to fewest
	// mutants. It is never too long before leastHalf.
	fewer     = 4
	fewest    = 50
	leastHalf = 3 * time.Second
	// growth bounds a round by the one before, for costs are known by that.
	growth = 10.0
	// spare is the share of the time that a round is planned to take of what is left.
	spare = 0.8
)

// sizeOf is the round that makes about most mutants.
func (r *recording) sizeOf(most int) size {
	sources := r.sources()
	files, bytes := 0, int64(0)
	for _, source := range sources {
		if info, err := os.Stat(r.build.Path(source)); err == nil { // what cannot be read costs nothing yet
			bytes += info.Size()
		}
		if files > 0 && files >= r.leastFiles && (files >= max(4, most/perFile) || bytes > int64(most)*perMutant) {
			return size{most, files}
		}
		files++
	}
	return size{most: most}
}

// decideAll decides as many mutants as there is time for, round by round, and returns
// the last round that came to an end.
func (r *recording) decideAll(ctx context.Context, suite *suite) (*recording, error) {
	if !r.opts.Grow || r.opts.Until.IsZero() {
		return r, r.decide(ctx, limits{ctx, ctx}, suite)
	}
	if err := r.look(ctx, suite); err != nil {
		return nil, err
	}
	first := cmp.Or(r.opts.First, firstRound(time.Until(r.opts.Until), suite.took))
	next := r.sizeOf(r.bounded(max(len(r.kept.of), first)))
	var last *recording
	for {
		one := r.round(next, last)
		limits, done := r.limitsOf(ctx, next, last)
		err := one.decide(ctx, limits, suite)
		done()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded) && last == nil && !r.shrinks(next):
			return nil, exit.New(exit.Timeout, fmt.Errorf("%s: %w", r.build.Subject.Name, ErrLargeSource), "")
		case errors.Is(err, context.DeadlineExceeded) && last == nil:
			r.say("making %d mutants takes more than half of the time that is left: trying with fewer", next.most)
			next = r.sizeOf(next.most / fewer)
			continue
		case errors.Is(err, errNotReached) && next.files > 0 && time.Now().Before(r.opts.Until):
			r.leastFiles = 4 * next.files
			next = r.sizeOf(next.most)
			continue
		case errors.Is(err, errNotReached) && next.files > 0 && last == nil:
			return nil, exit.New(exit.Timeout, fmt.Errorf("%s: the time was up when %d of its %d sources were mutated, and no test comes to these", r.build.Subject.Name, next.files, len(r.sources())), "")
		case err != nil && last == nil:
			return nil, err
		case errors.Is(err, context.DeadlineExceeded):
			r.say("the time was up before more mutants were made")
			return last, nil
		case err != nil:
			r.say("no more mutants are decided: %v", firstLine(err))
			return last, nil
		}
		most, more := one.more(last)
		if last = one; !more {
			return last, nil
		}
		next = one.after(most)
		r.say("%.0f s are left: going on with up to %d mutants", time.Until(r.opts.Until).Seconds(), min(most, cmp.Or(next.most, one.program.Generated)))
	}
}

// limits are until when a round may go on.
type limits struct {
	// preparing is for making the mutants, running for their runs, too.
	preparing, running context.Context
}

// limitsOf are those of a round. What the first one costs is not known: it is given half of the
// time to make its mutants, so that there is time to run them, unless fewer would take as long. The others
// end when the time is up.
func (r *recording) limitsOf(ctx context.Context, s size, last *recording) (limits, context.CancelFunc) {
	if last != nil {
		until, done := context.WithDeadline(ctx, r.opts.Until)
		return limits{until, until}, done
	}
	share := time.Until(r.opts.Until)
	if r.shrinks(s) {
		share /= 2
	}
	limited, done := context.WithTimeout(ctx, max(leastHalf, share))
	return limits{limited, ctx}, done
}

// shrinks says that a round can be made smaller: of fewer sources, which cost more than mutants do.
func (r *recording) shrinks(s size) bool { return s.most > fewest && r.sizeOf(fewest).files != s.files }

// firstRound is how many mutants the first round makes, where tests take so long.
func firstRound(left, tests time.Duration) int {
	return max(min(mostFirst, max(leastMost, int(left.Seconds()*firstMost))), min(mostSuite, int(tests.Seconds()*firstSuite)))
}

// bounded is no more than what bounds all rounds.
func (r *recording) bounded(most int) int {
	if r.bound > 0 {
		return min(most, r.bound)
	}
	return most
}

// round is a recording of so many mutants, and of those of the last round.
func (r *recording) round(s size, last *recording) *recording {
	one := *r
	one.size, one.stages, one.summary.Skipped = s, slices.Clone(r.stages), slices.Clone(r.summary.Skipped)
	one.opts.Mutation.Most, one.opts.Mutation.Unreached = s.most, r.looked.unreached
	if last != nil {
		one.opts.Mutation.Keep = map[string]bool{}
		for _, m := range last.chosen {
			one.opts.Mutation.Keep[m.ID] = true
		}
	}
	return &one
}

// more says how many mutants the next round is to make, and whether there is one: not
// where all mutants are made, nor where this round has not got through, or found none that
// the last one did not have.
func (r *recording) more(last *recording) (most int, is bool) {
	left := time.Until(r.opts.Until).Seconds()
	made := len(r.chosen)
	if r.madeAll() || r.atBound() || left <= 0 || last != nil && made <= len(last.chosen) && r.size.files == 0 {
		return 0, false
	}
	before := 0
	if last != nil {
		before = last.size.most
	}
	c := cost{mutants: float64(r.size.most), prepared: r.prepared.Seconds(), run: r.ran.Seconds() / float64(max(1, r.size.most-before))}
	if r.size.files == 0 {
		// Compiling all sources and linking cost the same for any number of mutants; half of what the
		// preparation took is a cautious guess.
		c.fixed = c.prepared / 2
	}
	most = c.mutantsIn(left)
	if r.bound > 0 && most >= r.bound {
		return r.bound, true
	}
	return most, most >= r.size.most*5/4
}

// after is the round after this one, with about most mutants: all, where there are no more.
// A bound divides them among the lines, and lines differ in how many they have, so that a
// bound that all would fit in leaves out some of the lines with many.
func (r *recording) after(most int) size {
	if r.size.files == 0 && most >= r.program.Generated {
		return size{}
	}
	return r.sizeOf(most)
}

// madeAll says that there are no mutants beside those that were made.
func (r *recording) madeAll() bool { return r.size.files == 0 && r.program.OutOfScope == 0 }

// atBound says that no more mutants are asked for.
func (r *recording) atBound() bool { return r.bound > 0 && r.size.most >= r.bound }

// cost is what a round took, in seconds: prepared with what is fixed, and run for a mutant.
type cost struct{ mutants, prepared, fixed, run float64 }

// mutantsIn is how many mutants can be made in the time that is left, with those there
// are, and how many of them run.
func (c cost) mutantsIn(left float64) int {
	each := (c.prepared - c.fixed) / c.mutants
	most := (left*spare - c.fixed + c.run*c.mutants) / max(each+c.run, 1e-6)
	return int(min(most, c.mutants*growth))
}

// units are the subject's units in C, of as many sources as the round is for.
func (r *recording) units() []*capture.Unit {
	sources := r.sources()
	if r.size.files > 0 {
		sources = sources[:r.size.files]
	}
	var out []*capture.Unit
	for _, id := range r.build.Subject.Units {
		if u := r.build.Unit(id); u != nil && u.Language == "c" && slices.Contains(sources, u.Source) {
			out = append(out, u)
		}
	}
	return out
}

// sources are the subject's sources in C, of a change those that it touches: those first that tests run lines of, else in an
// order that depends on their names alone and takes no folder first: those of a smaller round are among those of a larger.
func (r *recording) sources() []string {
	hashes := map[string]uint32{}
	for _, id := range r.build.Subject.Units {
		if u := r.build.Unit(id); u != nil && u.Language == "c" && (r.changed == nil || r.changed[u.Source]) {
			hash := fnv.New32a()
			_, _ = hash.Write([]byte(u.Source)) // a hash takes everything
			hashes[u.Source] = hash.Sum32() * 0x9e3779b1
		}
	}
	return slices.SortedFunc(maps.Keys(hashes), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.looked.rank(r.build.Path(a)), r.looked.rank(r.build.Path(b))), cmp.Compare(hashes[a], hashes[b]), cmp.Compare(a, b))
	})
}

// keyed are the names of the mutants of a program in what is kept: with the unit that they
// are in, for in a program of more files ids that several files share may be given otherwise.
// Behind its own name, a mutant has those of its duplicates, which may have been decided in
// its place when there were fewer.
func (r *recording) keyed(p *program.Program) map[int32][]string {
	duplicates := map[string][]string{}
	for _, removed := range p.Removed {
		if removed.Kind == equiv.Duplicate {
			duplicates[removed.Of] = append(duplicates[removed.Of], removed.Mutant.ID)
		}
	}
	out := map[int32][]string{}
	for _, u := range p.Units {
		unit := ""
		if replaced := r.replacedBy(u); len(replaced) > 0 {
			unit = replaced[0]
		}
		for i := range u.Mutants {
			m := &u.Mutants[i]
			for _, id := range append([]string{m.ID}, duplicates[m.ID]...) {
				out[m.Selector] = append(out[m.Selector], id+" "+unit)
			}
		}
	}
	return out
}
