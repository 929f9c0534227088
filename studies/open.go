package studies

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
)

// Options choose what the studies work on.
type Options struct {
	Learn experiment.Options
	// Classes names a file that gives faults their class: a line each, the
	// program's name, blank space, the class; the rest of the line is left. It
	// is the form of Codeflaws' own list. "" reads none.
	Classes string
	// Suites is the number of suites sampled by studies of criteria; 0 is
	// 10,000.
	Suites  int
	Display *progress.Display
}

// Open reads a history for the studies: its subjects, and the learners
// to compare.
func Open(ctx context.Context, dir string, opts Options) (*Material, error) {
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		return nil, exit.Mark(exit.Input, dataset.ErrNoHistory, err)
	}
	h.UsePool(opts.Learn.Pool)
	columns, published, lacking, err := studyColumns(h)
	if err != nil {
		return nil, err
	}
	loading := subject.Loading{Workers: opts.Learn.Workers, Display: opts.Display}
	subjects, skipped, err := subject.FromHistory(ctx, h, columns, loading)
	if err := ctx.Err(); err != nil { // no fault of the history
		return nil, err
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	if opts.Classes != "" {
		if err := addClasses(subjects, opts.Classes); err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
	}
	m := &Material{
		Faulty: subjects,
		Fixed: func(ctx context.Context) (map[string]*subject.Subject, error) {
			fixed, err := subject.FixedFromHistory(ctx, h, loading)
			if err != nil && ctx.Err() == nil {
				err = exit.New(exit.Input, err, "")
			}
			return fixed, err
		},
		Grouped: opts.Learn.Grouped(), Repetitions: opts.Learn.Repetitions, Suites: opts.Suites,
		Seed: opts.Learn.Seed, Workers: opts.Learn.Workers, Skipped: skipped, Display: opts.Display,
	}
	if len(m.Faulty) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no run folder has mutants, features, kills and faults", dir), "")
	}
	m.Split = opts.Learn.Split(m.Faulty)
	if m.Contenders, err = contenders(opts.Learn, published, lacking); err != nil {
		return nil, err
	}
	if len(lacking) > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("The history was recorded without %s: FaRM as published learns without. Record it again with this version of winnow to have all 28 features.", strings.Join(lacking, ", ")))
	}
	return m, nil
}

// studyColumns returns the static features that a history holds, those of FaRM
// before the others, how many these are, and those of FaRM that it lacks.
func studyColumns(h *dataset.History) (columns []string, published int, lacking []string, err error) {
	at := slices.IndexFunc(h.Runs, func(r dataset.Run) bool { return r.Has(dataset.FeaturesFile) })
	if at < 0 {
		return nil, 0, nil, exit.Mark(exit.Input, dataset.ErrNoHistory, fmt.Errorf("%s: no run folder has features", h.Dir))
	}
	loaded, err := h.Runs[at].Load(dataset.FeaturesFile)
	if err != nil {
		return nil, 0, nil, exit.New(exit.Input, err, "")
	}
	recorded := loaded.Features.Schema().Names()[1:]
	farm, err := features.Columns("farm")
	if err != nil {
		return nil, 0, nil, err
	}
	static, err := features.Columns("static")
	if err != nil {
		return nil, 0, nil, err
	}
	for _, name := range farm {
		if slices.Contains(recorded, name) {
			columns = append(columns, name)
		} else {
			lacking = append(lacking, name)
		}
	}
	published = len(columns)
	for _, name := range static {
		if slices.Contains(recorded, name) && !slices.Contains(farm, name) {
			columns = append(columns, name)
		}
	}
	return columns, published, lacking, nil
}

// contenders are the learners that studies compare. The first so many columns
// are FaRM's.
func contenders(opts experiment.Options, published int, lacking []string) ([]Contender, error) {
	plain, err := dataset.LookupLabel(experiment.FaultLabel)
	if err != nil {
		return nil, err
	}
	weighted, err := dataset.LookupLabel(farmWeighted)
	if err != nil {
		return nil, err
	}
	farm := opts
	farm.Train = PublishedOptions()
	name := "FaRM as published"
	if len(lacking) > 0 {
		name += fmt.Sprintf(" (less %d columns)", len(lacking))
	}
	return []Contender{
		{Name: "winnow", Doc: "all static features, the options of the command line", FaultLabel: plain, Fit: opts.Fit()},
		{Name: name, Doc: "the 28 features, 1,000 trees of depth 5, FaRM's weights", FaultLabel: weighted, Fit: firstColumns(farm.Fit(), published)},
	}, nil
}

// firstColumns makes a learner see the first n columns only.
func firstColumns(fit crossval.Fit, n int) crossval.Fit {
	return func(ctx context.Context, set crossval.TrainingSet) (crossval.Predictor, error) {
		set.Columns = set.Columns[:n]
		return fit(ctx, set)
	}
}

// addClasses reads the classes of faults.
func addClasses(subjects []subject.Subject, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("classes of faults: %w", err)
	}
	defer f.Close()
	class, err := readClasses(f)
	if err != nil {
		return fmt.Errorf("classes of faults: %s: %w", path, err)
	}
	found := 0
	for i := range subjects {
		if name, known := class[subjects[i].Program]; known {
			subjects[i].Class = name
			found++
		}
	}
	if found == 0 {
		return fmt.Errorf("classes of faults: %s names none of the history's %d programs", path, len(subjects))
	}
	return nil
}

func readClasses(r io.Reader) (map[string]string, error) {
	class := map[string]string{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 0:
		case len(fields) == 1:
			return nil, fmt.Errorf("line %d: want a program and a class, got %q", n, lines.Text())
		default:
			class[fields[0]] = fields[1]
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return class, nil
}
