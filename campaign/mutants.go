package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/winnow-mutants/winnow/campaign/built"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

// mutated is a case's program, all its mutants, and those of them to run.
type mutated struct {
	program     *program.Program
	all, chosen []mutant.Mutant
}

// mutate loads the version to mutate, and chooses the mutants to run, unless RecordOptions.Choose
// does.
func (r *recording) mutate(ctx context.Context) (*mutated, error) {
	start := time.Now()
	p, err := r.load(ctx)
	if err != nil {
		return nil, err
	}
	m := &mutated{program: p, all: p.Mutants()}
	if r.opts.Choose != nil {
		r.done("mutate", start)
		return m, nil
	}
	if len(m.all) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: nothing to mutate", r.c.Program), "")
	}
	if r.opts.MaxMutants > 0 && len(m.all) > r.opts.MaxMutants {
		return nil, &Unusable{fmt.Sprintf("more than %d mutants", r.opts.MaxMutants)}
	}
	for i := range m.all {
		if r.opts.Shard.has(i) && r.opts.Only.has(&m.all[i]) {
			m.chosen = append(m.chosen, m.all[i])
		}
	}
	if len(m.chosen) == 0 && r.opts.Only != nil {
		return nil, exit.Mark(exit.Input, ErrOtherMutants, fmt.Errorf("%s: none of the mutants to run is among its %d", r.c.Name(), len(m.all)))
	}
	if len(m.chosen) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: shard %v has none of the %d mutants", r.c.Name(), r.opts.Shard, len(m.all)), "make fewer shards")
	}
	r.done("mutate", start)
	return m, nil
}

// Where a bound on the mutants takes too long to be made, fewer are, by that factor, but not fewer
// than so many. Making all is not too long before leastTime.
const (
	fewerMade = 4
	leastMade = 50
	leastTime = 10 * time.Second
)

// load loads the version to mutate. Where the run ends some time, its mutants take half of the time that is
// left at most, so that there is time to run them: where they are bounded, or may be sampled, fewer are made
// that are made sooner. A run that is gone on with has those that it had.
func (r *recording) load(ctx context.Context) (*program.Program, error) {
	return r.loadIn(ctx, max(leastTime, time.Until(r.opts.Until)/2))
}

// loadIn is load where making all mutants may take so long.
func (r *recording) loadIn(ctx context.Context, limit time.Duration) (*program.Program, error) {
	opts := program.LoadOptions{Name: r.c.Program, Mutation: r.opts.Mutation, Ages: r.opts.Ages}
	most := &opts.Mutation.Most
	sampled, err := r.sampled()
	if err != nil {
		return nil, err
	}
	if sampled > 0 {
		*most = sampled
		return program.Load(ctx, r.builder.Tools, r.c.Inputs, opts)
	}
	if *most == 0 && r.opts.Sample > 0 && !r.opts.Until.IsZero() {
		p, err := r.loadBy(ctx, opts, limit)
		if p != nil || err != nil {
			return p, err
		}
		*most = r.opts.Sample
	}
	for ; *most > leastMade && !r.opts.Until.IsZero(); *most = max(leastMade, *most/fewerMade) {
		p, err := r.loadBy(ctx, opts, time.Until(r.opts.Until)/2)
		if err != nil {
			return nil, err
		}
		if p != nil {
			return p, r.keepSample(*most)
		}
	}
	p, err := program.Load(ctx, r.builder.Tools, r.c.Inputs, opts)
	if err != nil {
		return nil, err
	}
	return p, r.keepSample(*most)
}

// loadBy loads a program unless that takes longer; then it returns nil.
func (r *recording) loadBy(ctx context.Context, opts program.LoadOptions, limit time.Duration) (*program.Program, error) {
	limited, done := context.WithTimeout(ctx, limit)
	defer done()
	p, err := program.Load(limited, r.builder.Tools, r.c.Inputs, opts)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, nil
	}
	return p, err
}

// sampleFile is in the progress folder of a run that took a sample: about how many mutants it made.
const sampleFile = "sample"

// sampled is how many mutants the run that is gone on with made; 0 for all, and where this run asks for all.
func (r *recording) sampled() (int, error) {
	if r.opts.Progress == "" || r.opts.Sample == 0 {
		return 0, nil
	}
	path := filepath.Join(r.opts.Progress, sampleFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, exit.New(exit.System, err, "")
	}
	most, err := strconv.Atoi(string(text))
	if err != nil || most < 1 {
		return 0, exit.New(exit.Input, fmt.Errorf("%s is damaged", path), "begin the run anew")
	}
	return most, nil
}

// keepSample notes that a sample was made where all mutants were asked for, and says so.
func (r *recording) keepSample(most int) error {
	if most == r.opts.Mutation.Most {
		return nil
	}
	if r.opts.Say != nil {
		r.opts.Say(fmt.Sprintf("making the mutants of %s takes more than half of the time: about %d are made, spread over the lines", r.c.Program, most))
	}
	if r.opts.Progress == "" {
		return nil
	}
	if err := atomicfile.MakeFolder(r.opts.Progress); err != nil {
		return exit.New(exit.System, err, "")
	}
	return atomicfile.Write(filepath.Join(r.opts.Progress, sampleFile), []byte(strconv.Itoa(most)))
}

// pick has RecordOptions.Choose choose the mutants to run.
func (r *recording) pick(ctx context.Context, m *mutated, look func() (*looked, error)) (err error) {
	if r.opts.Choose == nil {
		return nil
	}
	var at *looked
	m.chosen, err = built.Chosen(ctx, m.program, func(ctx context.Context, p *program.Program) ([]string, error) {
		return r.opts.Choose(ctx, p, func() (map[string]int, error) {
			if at, err = look(); err != nil {
				return nil, err
			}
			return at.infecting(m.all), nil
		})
	})
	if err != nil && at != nil {
		at.made.remove()
	}
	return err
}

// features computes the features of all mutants, nil where they are not asked for. No
// build was made of the program yet.
func (r *recording) features(m *mutated) (*table.Table, error) {
	if r.opts.NoFeatures {
		return nil, nil
	}
	start := time.Now()
	rows, err := program.Features(m.program)
	if err != nil {
		return nil, err
	}
	r.done("features", start)
	return rows, nil
}

// executables are the builds of a program that the stages run.
type executables struct {
	meta    string         // the meta-mutant
	probing *build.Probing // nil with NoProbe
	// exits come with the builds, because they are followed in the program as it was
	// before; only with Counts.
	exits AtExits
}

func (x *executables) remove() {
	os.Remove(x.meta)
	if x.probing != nil {
		os.Remove(x.probing.Binary)
	}
}

// build makes the executables. tests are all that may be run on them.
func (r *recording) build(ctx context.Context, m *mutated, tests []execute.Test) (*executables, error) {
	start := time.Now()
	x := &executables{}
	var err error
	if r.opts.Counts && !r.opts.NoProbe {
		if x.exits, err = FollowToExits(m.program, tests); err != nil {
			return nil, err
		}
	}
	if !r.opts.NoProbe {
		if x.probing, err = r.builder.Probing(ctx, m.program, "probe", r.opts.Counts); err != nil {
			return nil, err
		}
	}
	if x.meta, err = r.builder.MetaMutant(ctx, m.program, "mutants"); err != nil {
		x.remove()
		return nil, err
	}
	r.done("build", start)
	return x, nil
}
