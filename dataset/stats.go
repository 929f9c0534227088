package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Stats is what there is to learn from in a history.
type Stats struct {
	Runs     int `json:"runs"`
	Programs int `json:"programs"`
	// Faults is how many runs know their fault, Older how many versions a later one stands for.
	Faults   int         `json:"faults"`
	Older    int         `json:"older"`
	Mutants  int         `json:"mutants"`
	Tests    int         `json:"tests"`
	Features int         `json:"features"`
	Labels   []LabelStat `json:"labels"`
}

// LabelStat is a label of a history's mutants.
type LabelStat struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	// Known is of how many mutants the evidence settles it, Mean its mean over these.
	Known int     `json:"known"`
	Mean  float64 `json:"mean"`
}

// Stats reads all runs and sums them up.
func (h *History) Stats(ctx context.Context) (*Stats, error) {
	out := &Stats{Runs: len(h.Runs), Older: len(h.Older)}
	names, err := h.FeatureNames()
	if err != nil {
		return nil, err
	}
	out.Features = len(names)
	for _, l := range Labels() {
		out.Labels = append(out.Labels, LabelStat{Name: l.Name, Doc: l.Doc})
	}
	programs := map[string]bool{}
	for i := range h.Runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := out.add(&h.Runs[i]); err != nil {
			return nil, err
		}
		programs[h.Runs[i].Manifest.Program] = true
	}
	out.Programs = len(programs)
	for i := range out.Labels {
		if l := &out.Labels[i]; l.Known > 0 {
			l.Mean /= float64(l.Known)
		}
	}
	return out, nil
}

func (s *Stats) add(r *Run) error {
	files := []string{MutantsFile}
	for _, name := range []string{KillsFile, FaultsFile} {
		if r.Has(name) {
			files = append(files, name)
		}
	}
	if r.Has(FaultsFile) {
		s.Faults++
	}
	subject, err := r.Load(files...)
	if err != nil {
		return err
	}
	ids, err := subject.Mutants.Strings("id")
	if err != nil {
		return fmt.Errorf("summing %s up: %w", r.Manifest.Name(), err)
	}
	s.Mutants += len(ids)
	if subject.Kills != nil {
		s.Tests += len(subject.Kills.Tests())
	}
	labels, err := subject.labels(ids)
	if err != nil {
		return fmt.Errorf("summing %s up: %w", r.Manifest.Name(), err)
	}
	for i, column := range labels {
		for _, v := range slices.DeleteFunc(column, math.IsNaN) {
			s.Labels[i].Known++
			s.Labels[i].Mean += v
		}
	}
	return nil
}
