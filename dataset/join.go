package dataset

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// JoinOptions restricts what Join takes. The zero value takes all features of
// all labelled mutants.
type JoinOptions struct {
	// Columns are the features to take, in that order; nil takes all.
	Columns []string
	// PerSubject takes at most that many labelled mutants of a subject, drawn
	// with Seed; 0 takes all.
	PerSubject int
	Seed       uint64
	// MaxBytes bounds the memory of the result; 0 is 4 GiB.
	MaxBytes int64
}

const defaultMaxBytes = 4 << 30

// Data is examples to learn from, column by column. Rows are in the order of
// the history's runs and, within one, of its features.
type Data struct {
	Label string
	// Features describes Columns. FeatureSchema is the hash of the feature
	// tables' schema, and History the history's hash.
	Features      []table.Column
	FeatureSchema string
	History       string

	// Columns holds one slice a feature, one value an example; NaN is missing.
	Columns [][]float64
	// Targets and Weights hold one value an example. No target is NaN.
	Targets, Weights []float64
	// IDs are the mutants' ids, unique within a program only.
	IDs []string
	// Programs and Problems group the examples for cross-validation: no group
	// may be on both sides of a split. Programs are the subjects' names.
	Programs, Problems []string

	// Unlabelled counts the mutants whose label the evidence does not settle,
	// Sampled those left out by PerSubject.
	Unlabelled, Sampled int
	// Skipped are the paths of runs that lack a file the label requires.
	Skipped []string
}

// Rows is the number of examples.
func (d *Data) Rows() int { return len(d.Targets) }

// Join puts the features of the history's mutants beside their label.
//
// Subjects are read one after the other: beyond the result, memory holds one.
// It is an error when nothing is labelled and when the result would need more
// than MaxBytes.
func Join(h *History, label Label, o JoinOptions) (*Data, error) {
	d := &Data{Label: label.Name, History: h.Hash()}
	runs := d.usable(h, label)
	if len(runs) == 0 {
		return nil, fmt.Errorf("join label %s: none of %d run folders has %s and %s", label.Name, len(h.Runs), FeaturesFile, strings.Join(label.Requires, ", "))
	}
	if err := d.choose(runs[0], o.Columns); err != nil {
		return nil, fmt.Errorf("join label %s: %w", label.Name, err)
	}
	if err := d.reserve(runs, o); err != nil {
		return nil, fmt.Errorf("join label %s: %w", label.Name, err)
	}
	for i := range runs {
		if err := d.addRun(&runs[i], label, o); err != nil {
			return nil, fmt.Errorf("join label %s: %w", label.Name, err)
		}
	}
	if d.Rows() == 0 {
		return nil, fmt.Errorf("join label %s: the evidence settles the label of none of %d mutants", label.Name, d.Unlabelled)
	}
	return d, nil
}

func (d *Data) usable(h *History, label Label) []Run {
	var runs []Run
	for _, r := range h.Runs {
		missing := !r.Has(FeaturesFile)
		for _, file := range label.Requires {
			missing = missing || !r.Has(file)
		}
		if missing {
			d.Skipped = append(d.Skipped, r.Path)
		} else {
			runs = append(runs, r)
		}
	}
	return runs
}

// choose settles the columns, from one run's table: OpenHistory made sure that
// all runs have the same.
func (d *Data) choose(r Run, names []string) error {
	in, err := table.Open(filepath.Join(r.Dir, FeaturesFile))
	if err != nil {
		return err
	}
	defer in.Close()
	schema := in.Schema()
	d.FeatureSchema = schema.Hash()
	if names == nil && len(schema) > 0 {
		names = schema.Names()[1:] // the first is the id
	}
	for _, name := range names {
		i := schema.Index(name)
		if i < 0 {
			return fmt.Errorf("feature %q is not in the history; it has: %s", name, strings.Join(schema.Names(), ", "))
		}
		if schema[i].Type == table.String {
			return fmt.Errorf("feature %q is text; a learner needs numbers", name)
		}
		d.Features = append(d.Features, schema[i])
	}
	return table.Schema(d.Features).Validate()
}

// reserve makes room for all rows at once, and refuses to need too much.
func (d *Data) reserve(runs []Run, o JoinOptions) error {
	rows := 0
	for _, r := range runs {
		n := r.Manifest.Files[FeaturesFile].Rows
		if o.PerSubject > 0 {
			n = min(n, o.PerSubject)
		}
		rows += n
	}
	const perRow = 2*8 + 3*16 // target, weight and the three strings
	limit := o.MaxBytes
	if limit == 0 {
		limit = defaultMaxBytes
	}
	if need := int64(rows) * int64(8*len(d.Features)+perRow); need > limit {
		return fmt.Errorf("%d mutants x %d features need %d MB, more than the %d MB allowed; take fewer mutants of a subject, fewer features, or allow more memory", rows, len(d.Features), need>>20, limit>>20)
	}
	d.Columns = make([][]float64, len(d.Features))
	for i := range d.Columns {
		d.Columns[i] = make([]float64, 0, rows)
	}
	d.Targets, d.Weights = make([]float64, 0, rows), make([]float64, 0, rows)
	d.IDs = make([]string, 0, rows)
	d.Programs, d.Problems = make([]string, 0, rows), make([]string, 0, rows)
	return nil
}

func (d *Data) addRun(r *Run, label Label, o JoinOptions) error {
	s, err := r.Load(label.Requires...)
	if err != nil {
		return err
	}
	evidence, err := NewEvidence(s)
	if err != nil {
		return fmt.Errorf("subject %s: %w", r.Manifest.Name(), err)
	}
	values := map[string]Value{}
	for i, v := range label.Run(evidence) {
		values[evidence.Mutants[i]] = v
	}
	features, err := d.readFeatures(r)
	if err != nil {
		return fmt.Errorf("subject %s: %w", r.Manifest.Name(), err)
	}
	ids, err := featureIDs(features)
	if err != nil {
		return fmt.Errorf("subject %s: features: %w", r.Manifest.Name(), err)
	}
	var rows []int
	for row, id := range ids {
		if v, ok := values[id]; ok && !math.IsNaN(v.Target) {
			rows = append(rows, row)
		} else {
			d.Unlabelled++
		}
	}
	kept := sample(rows, o, r.Manifest.Name())
	d.Sampled += len(rows) - len(kept)
	for _, row := range kept {
		v := values[ids[row]]
		d.Targets, d.Weights = append(d.Targets, v.Target), append(d.Weights, v.Weight)
		d.IDs = append(d.IDs, ids[row])
		d.Programs, d.Problems = append(d.Programs, r.Manifest.Name()), append(d.Problems, r.Manifest.Group())
	}
	return d.addColumns(features, kept)
}

// readFeatures reads the id and the chosen columns.
func (d *Data) readFeatures(r *Run) (*table.Table, error) {
	path := filepath.Join(r.Dir, FeaturesFile)
	if err := r.Verify(FeaturesFile); err != nil {
		return nil, err
	}
	return table.Read(path, append([]string{"id"}, table.Schema(d.Features).Names()...)...)
}

func (d *Data) addColumns(features *table.Table, rows []int) error {
	for i, c := range d.Features {
		values, err := features.Numbers(c.Name)
		if err != nil {
			return err
		}
		for _, row := range rows {
			d.Columns[i] = append(d.Columns[i], values[row])
		}
	}
	return nil
}

// sample draws PerSubject of the rows and keeps their order. The draw depends
// on the seed and the subject alone, so that other subjects do not change it.
func sample(rows []int, o JoinOptions, subject string) []int {
	if o.PerSubject <= 0 || len(rows) <= o.PerSubject {
		return rows
	}
	kept := slices.Clone(rows)
	stream.New(o.Seed, "dataset/join "+subject).Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
	kept = kept[:o.PerSubject]
	slices.Sort(kept)
	return kept
}
