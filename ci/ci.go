package ci

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/rank"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/findings"
)

// Options choose what is run and when it is enough.
type Options struct {
	// Folder is the project's, with winnow.toml.
	Folder string
	// Mutation says where mutants are made; its scope may be a diff.
	Mutation program.Mutation
	// Top is how many mutants are run at most, 0 all; Budget is how long it may take, 0 any time.
	Top    predict.Top
	Budget time.Duration
	// Rank orders the mutants.
	Rank rank.Options
	// Store is the folder in which verdicts are kept; "" keeps none.
	Store string
	// Known are the ids of survivors that are no news; nil where there is no baseline.
	Known map[string]bool
	// Only, when not nil, are the ids of the mutants to look at. DryRun runs nothing: what has no
	// kept verdict is unknown.
	Only   map[string]bool
	DryRun bool
	// Confirm runs new survivors again before they count.
	Confirm bool
	// Record are the options of the runs.
	Record campaign.RecordOptions
	// Say is told in words what is done; nil is silent.
	Say func(line string)
}

// Result is what was found.
type Result struct {
	// Findings are the mutants that were chosen.
	Findings *findings.Run
	// InScope is how many mutants there are where they were asked for, Ran how many of the
	// chosen ones were run, Reused how many verdicts are from an earlier run, NotRun how many
	// there was no time for.
	InScope, Ran, Reused, NotRun int
	// New are the ids of the survivors that no baseline knows, one for each gap, the best first.
	New []string
	// Unstable are the ids of survivors that were killed when they were run again.
	Unstable []string
	Seconds  float64
}

// Score is the killed share of the mutants with a verdict; false where there is none.
func (r *Result) Score() (float64, bool) {
	killed, all := r.Findings.Count(findings.Killed), 0
	for _, s := range []findings.Status{findings.Killed, findings.Survived, findings.Unreached} {
		all += r.Findings.Count(s)
	}
	if all == 0 {
		return 0, false
	}
	return float64(killed) / float64(all), true
}

// Run chooses mutants, runs those whose verdicts are not known, and says which survivors are
// new. A project of which nothing in scope can be mutated has no findings.
func Run(ctx context.Context, tools *clang.Toolchain, opts Options) (*Result, error) {
	start := time.Now()
	cases, err := project.CasesOf([]string{opts.Folder}, false)
	if err != nil {
		return nil, err
	}
	if len(cases) != 1 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s describes %d programs", opts.Folder, len(cases)), "")
	}
	if opts.Say == nil {
		opts.Say = func(string) {}
	}
	work, err := scratch.New("ci")
	if err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	defer work.Remove()
	c := &check{opts: opts, tools: tools, of: &cases[0], scratch: work.Path}
	if err := c.relocate(ctx); err != nil {
		return nil, err
	}
	if c.store, err = openStore(opts.Store); err != nil {
		return nil, err
	}
	defer c.store.close()
	kills, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	out, err := c.result(kills)
	if err != nil {
		return nil, err
	}
	if opts.Confirm && len(out.New) > 0 {
		if err := c.confirm(ctx, out); err != nil {
			return nil, err
		}
	}
	out.Seconds = time.Since(start).Seconds()
	return out, c.store.save()
}

// check is one run of the gate.
type check struct {
	opts    Options
	tools   *clang.Toolchain
	of      *project.Case
	scratch string
	store   *store
	chosen  *chosen
	notRun  int
}

// run runs what the store does not know, and returns all verdicts together.
func (c *check) run(ctx context.Context) (*kill.Matrix, error) {
	s, err := c.record(ctx, filepath.Join(c.scratch, "run"), c.choose, nil)
	var none *scope.EmptyError
	switch {
	case errors.Is(err, campaign.ErrNoneChosen), errors.As(err, &none) && (none.By == scope.ByDiff || none.By == scope.BySource || c.opts.DryRun):
		return c.store.matrix(c.chosen, nil)
	case err != nil:
		return nil, err
	}
	c.store.add(c.chosen, s.Kills, s.ProofRows())
	return c.store.matrix(c.chosen, s.Kills)
}

// proving is how long survivors are looked at that no test can kill, a tenth of the budget where
// that is more: in a function of hundreds of lines twenty mutants may take minutes, and a survivor
// that is left open is shown.
const proving = 5 * time.Second

// record runs mutants into a folder of ours and reads what was found.
func (c *check) record(ctx context.Context, out string, choose campaign.Choice, change func(*campaign.RecordOptions)) (*dataset.Subject, error) {
	record := c.opts.Record
	record.Choose, record.Mutation, record.NoFeatures, record.NoBranches = choose, c.opts.Mutation, true, true
	if change != nil {
		change(&record)
	}
	prove := &verdict.Proving{Most: max(proving, c.opts.Budget/10)}
	if change != nil {
		prove = nil
	}
	runs, err := campaign.Run(ctx, c.tools, []string{c.opts.Folder}, out, campaign.RunOptions{Record: record, Budget: c.opts.Budget, Say: c.opts.Say, Prove: prove})
	if len(runs) == 0 {
		return nil, err
	}
	c.notRun = runs[0].NotRun // for lack of time: which is no failure here
	history, err := dataset.OpenHistory(out)
	if err != nil {
		return nil, err
	}
	files := []string{dataset.MutantsFile}
	if history.Runs[0].Has(dataset.ProofsFile) {
		files = append(files, dataset.ProofsFile)
	}
	s, err := history.Runs[0].Load(files...)
	if err != nil {
		return nil, err
	}
	s.Kills, err = kill.Read(filepath.Join(history.Runs[0].Dir, dataset.KillsFile), kill.Everything)
	return s, err
}

// result are the findings of the chosen mutants.
func (c *check) result(kills *kill.Matrix) (*Result, error) {
	ranking := &report.Ranking{Strategy: c.opts.Rank.Strategy.Name}
	out := &Result{}
	s := &dataset.Subject{Manifest: dataset.Manifest{Program: c.of.Program, Tool: c.opts.Record.Tool, Options: map[string]string{"build": "a part of the mutants"}}, Kills: kills}
	var err error
	if c.chosen == nil {
		if s.Mutants, err = table.New(dataset.MutantsSchema()); err != nil {
			return nil, err
		}
	} else {
		ranking = c.chosen.ranking
		if s.Proofs, err = c.store.proofs(c.chosen); err != nil {
			return nil, err
		}
		s.Mutants, s.Sources, s.Edits, s.Removed = c.chosen.table, c.chosen.reading.Sources, c.chosen.reading.Edits, c.chosen.reading.Removed
		out.InScope, out.Ran, out.Reused, out.NotRun = c.chosen.inScope, len(c.chosen.run)-c.notRun, len(c.chosen.all)-len(c.chosen.run), c.notRun
	}
	if out.Findings, err = findings.Of(s, ranking); err != nil {
		return nil, err
	}
	for _, g := range out.Findings.Gaps {
		lead := &out.Findings.Findings[g.Lead]
		if lead.Known = c.known(out.Findings, g); !lead.Known {
			out.New = append(out.New, lead.ID)
		}
	}
	return out, nil
}

// known says that the baseline has every survivor of a gap, or one that is alike: which of
// them leads may change from run to run.
func (c *check) known(r *findings.Run, g findings.Gap) bool {
	if c.opts.Known[r.Findings[g.Lead].ID] {
		return true
	}
	for _, i := range g.Alike {
		if c.opts.Known[r.Findings[i].ID] {
			return true
		}
	}
	return false
}
