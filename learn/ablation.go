package learn

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/report"
)

// Ablation cross-validates the models of fault revelation and of killability with
// each family of features alone, and with all but it: what a family can tell by
// itself, and what no other tells.
func Ablation(ctx context.Context, dir string, opts Options) ([]*report.Ablation, error) {
	_, subjects, _, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, err
	}
	names, groups := familiesOf(subjects[0].Columns)
	var out []*report.Ablation
	for _, part := range opts.parts()[:2] {
		one := &report.Ablation{Label: part.label, Columns: len(subjects[0].Columns)}
		if one.All, err = part.ablate(ctx, subjects, nil, opts); err != nil {
			return nil, err
		}
		for f, group := range groups {
			row := report.AblatedFamily{Name: names[f], Columns: len(group)}
			if row.Alone, err = part.ablate(ctx, subjects, group, opts); err != nil {
				return nil, fmt.Errorf("%s alone: %w", names[f], err)
			}
			rest := others(group, len(subjects[0].Columns))
			if len(rest) > 0 {
				if row.Without, err = part.ablate(ctx, subjects, rest, opts); err != nil {
					return nil, fmt.Errorf("all but %s: %w", names[f], err)
				}
			}
			one.Families = append(one.Families, row)
		}
		out = append(out, one)
	}
	return out, nil
}

// others returns the numbers below n that are not in group, which ascends.
func others(group []int, n int) []int {
	var out []int
	for i := range n {
		if len(group) > 0 && group[0] == i {
			group = group[1:]
			continue
		}
		out = append(out, i)
	}
	return out
}

// ablate judges the part's models by the columns at the given places; nil is all.
func (p *modelPart) ablate(ctx context.Context, subjects []evaluate.Subject, places []int, opts Options) (report.AUC, error) {
	label, err := dataset.LookupLabel(p.label)
	if err != nil {
		return report.AUC{}, err
	}
	if places != nil {
		subjects = withColumns(subjects, places)
	}
	what := fmt.Sprintf("%s of %d features", p.label, len(subjects[0].Columns))
	scores, err := p.crossValidate(ctx, subjects, opts, what, nil)
	if err != nil {
		return report.AUC{}, err
	}
	judge := label
	if !label.Binary {
		if judge, err = dataset.LookupLabel(FaultLabel); err != nil {
			return report.AUC{}, err
		}
	}
	q, err := evaluate.Assess(ctx, subjects, judge, scores, significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers})
	if err != nil {
		return report.AUC{}, err
	}
	return report.AUC{Pooled: q.AUC, Low: q.AUCLow, High: q.AUCHigh, Within: q.SubjectAUCMean}, nil
}

// withColumns returns copies of the subjects with the columns at some places.
func withColumns(subjects []evaluate.Subject, places []int) []evaluate.Subject {
	names := make([]string, len(places))
	for i, at := range places {
		names[i] = subjects[0].Columns[at]
	}
	out := make([]evaluate.Subject, len(subjects))
	for i := range subjects {
		out[i] = subjects[i]
		out[i].Columns, out[i].Features = names, subjects[i].Features.Choose(places, nil)
	}
	return out
}
