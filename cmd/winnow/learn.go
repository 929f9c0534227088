package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/studies"
	"github.com/winnow-mutants/winnow/train"
)

// learnOptions are the flags that winnow train and winnow evaluate share.
type learnOptions struct {
	// Preset sets several of the others at once.
	Preset       string
	Learner      string
	Target       string
	Objective    string
	RevealLoss   string // --reveal-objective
	Features     string
	WarmStart    string
	Rounds       int
	LearningRate float64
	Depth        int
	ColumnShare  float64
	MinLeaf      int
	L2           float64
	Sample       int
	Folds        int
	By           string
	Seed         uint64
	Workers      int
	Repetitions  int
	Strategies   []string
	HoldSuite    bool
	Published    bool
	Pool         string
	Progress     progress.Mode
}

// AddFlags declares the flags.
func (o *learnOptions) AddFlags(flags *pflag.FlagSet) {
	d := experiment.DefaultOptions()
	flags.StringVar(&o.Preset, "preset", "", "farm: as FaRM was published, 1,000 trees on its own features with its weights; replaces --target, --features and all that is said of the trees")
	flags.StringVar(&o.Learner, "learner", train.Learners()[0].Name, "what makes the models: "+strings.Join(learnerNames(), ", "))
	flags.StringVar(&o.Target, "target", experiment.FaultLabel, "what the first model learns: "+strings.Join(labelNames(), ", "))
	flags.StringVar(&o.Objective, "objective", "", "the loss that the first model learns by: "+strings.Join(objectiveNames(), ", ")+"; default log-loss. The last two rank within a fault, and can be evaluated only")
	flags.StringVar(&o.RevealLoss, "reveal-objective", "", "the loss that the model of revelation learns by: "+strings.Join(revealObjectiveNames(), ", ")+"; default the first, which ranks within a fault, or what the model of --warm-start began with")
	flags.StringVar(&o.Features, "features", "static", "features to learn from: groups and families, added with + and taken away with - (docs/features.md): farm, static-syntax")
	flags.StringVar(&o.WarmStart, "warm-start", "", "a released model's name or a folder: its ensembles are continued, for a history too small to learn from alone")
	flags.IntVar(&o.Rounds, "rounds", d.Rounds, "number of trees")
	flags.Float64Var(&o.LearningRate, "learning-rate", d.LearningRate, "how far each tree goes")
	flags.IntVar(&o.Depth, "depth", d.MaxDepth, "depth of the trees")
	flags.Float64Var(&o.ColumnShare, "column-share", d.ColumnFraction, "share of the features that each tree may read")
	flags.IntVar(&o.MinLeaf, "min-leaf", d.MinLeafSamples, "fewest mutants in a leaf")
	flags.Float64Var(&o.L2, "l2", d.L2, "penalty on the squares of leaf values")
	flags.IntVar(&o.Sample, "sample", 0, "learn from at most this many mutants of each fault, drawn by chance; 0 means all. All are judged")
	flags.IntVar(&o.Folds, "folds", 10, "folds of the cross-validation; fewer where there are fewer groups")
	flags.StringVar(&o.By, "by", "problem", "what a fold never splits: problem or program")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of folds, trees and simulations")
	flags.IntVar(&o.Workers, "workers", 0, "CPUs to use; 0 means all. The result is the same for any number")
	flags.IntVar(&o.Repetitions, "repetitions", 100, "repetitions of the simulated test sessions")
	flags.BoolVar(&o.HoldSuite, "hold-suite", false, "make labels without the tests that stand for an existing suite, a quarter of those that do not reveal the fault, as is always done for dynamic features: to compare others with them")
	flags.StringVar(&o.Pool, "pool", string(dataset.AllTests), "the tests that labels rest on: all, or original, without those that an import with --augment made")
	flags.Var(&o.Progress, "progress", "how to show progress")
	flags.BoolVar(&o.Published, "published", false, "also judge FaRM as it was published, on the same faults and folds: its features, 1,000 trees, its weights")
	flags.StringSliceVar(&o.Strategies, "strategies", nil, "strategies to compare; default all: "+strings.Join(strategyNames(), ", "))
}

// display shows progress on standard error.
func (o *learnOptions) display(stderr io.Writer) *progress.Display {
	return progress.New(stderr, progress.Options{Mode: o.Progress})
}

func (o *learnOptions) resolve() (experiment.Options, error) {
	out := experiment.Options{
		Train: train.Options{Rounds: o.Rounds, LearningRate: o.LearningRate, MaxDepth: o.Depth, ColumnFraction: o.ColumnShare, MinLeafSamples: o.MinLeaf, L2: o.L2},
		Folds: o.Folds, ByProgram: o.By == "program", Seed: o.Seed, Sample: o.Sample, Workers: o.Workers, Repetitions: o.Repetitions, HoldSuite: o.HoldSuite,
	}
	if err := o.resolveModel(&out); err != nil {
		return out, err
	}
	var err error
	if o.Published {
		farm, err := studies.FaRM()
		if err != nil {
			return out, err
		}
		out.Rivals = append(out.Rivals, farm)
	}
	if out.Pool, err = dataset.ParsePool(o.Pool); err != nil {
		return out, exit.New(exit.Usage, err, "")
	}
	if o.By != "program" && o.By != "problem" {
		return out, exit.Usagef("--by %s: want problem or program", o.By)
	}
	if o.Workers < 0 || o.Sample < 0 {
		return out, exit.Usagef("--workers and --sample must not be negative")
	}
	if o.Rounds < 1 || o.Depth < 1 || o.Folds < 2 || o.Repetitions < 1 {
		return out, exit.Usagef("--rounds, --depth and --repetitions must be positive, --folds at least 2")
	}
	if !(o.ColumnShare > 0 && o.ColumnShare <= 1) || o.MinLeaf < 1 || !(o.L2 >= 0) { // true of NaN
		return out, exit.Usagef("--column-share must be more than 0 and at most 1, --min-leaf at least 1, --l2 not negative")
	}
	if !(o.LearningRate > 0 && o.LearningRate <= 1) { // true of NaN
		return out, exit.Usagef("--learning-rate %v: want more than 0, at most 1", o.LearningRate)
	}
	for _, name := range o.Strategies {
		s, err := predict.Lookup(name)
		if err != nil {
			return out, exit.New(exit.Usage, err, "")
		}
		out.Strategies = append(out.Strategies, s)
	}
	return out, nil
}

// farmPreset is how FaRM was trained.
const farmPreset = "farm"

// resolveModel settles what is learnt, from what and by what.
func (o *learnOptions) resolveModel(out *experiment.Options) error {
	target, group := o.Target, o.Features
	switch o.Preset {
	case "":
	case farmPreset:
		out.Train = studies.PublishedOptions()
		target, group = "fault-revealing-weighted", farmPreset
	default:
		return exit.Usagef("--preset %s: want farm", o.Preset)
	}
	label, err := dataset.LookupLabel(target)
	if err != nil {
		return exit.New(exit.Usage, err, "")
	}
	out.Target = label.Name
	at := slices.Index(learnerNames(), o.Learner)
	if at < 0 {
		return exit.Usagef("--learner %s: want %s", o.Learner, strings.Join(learnerNames(), ", "))
	}
	out.Learner = train.Learners()[at]
	if o.Objective != "" {
		at := slices.Index(objectiveNames(), o.Objective)
		if at < 0 {
			return exit.Usagef("--objective %s: want %s", o.Objective, strings.Join(objectiveNames(), ", "))
		}
		out.Objective = train.Objectives()[at]
	}
	if o.RevealLoss != "" {
		if out.RevealObjective, err = experiment.LookupRevealObjective(o.RevealLoss); err != nil {
			return err
		}
	}
	if out.Columns, err = features.Columns(group); err != nil {
		return exit.New(exit.Usage, err, "")
	}
	if o.WarmStart != "" {
		if out.WarmStart, err = openModel(o.WarmStart); err != nil {
			return err
		}
		if out.WarmStart.Foreign != nil {
			return exit.Usagef("--warm-start %s: only a model of winnow's is continued", o.WarmStart)
		}
	}
	return nil
}

func learnerNames() []string {
	var out []string
	for _, l := range train.Learners() {
		out = append(out, l.Name)
	}
	return out
}

func objectiveNames() []string {
	var out []string
	for _, o := range train.Objectives() {
		out = append(out, o.Name)
	}
	return out
}

func revealObjectiveNames() []string {
	var out []string
	for _, o := range experiment.RevealObjectives() {
		out = append(out, o.Name)
	}
	return out
}

func labelNames() []string {
	var out []string
	for _, l := range dataset.Labels() {
		out = append(out, l.Name)
	}
	return out
}
