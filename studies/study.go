package studies

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/report"
)

// Study is one question put to a history.
type Study struct {
	// Name is what users type.
	Name string
	// Title, Question and Source say what it asks and where that is from.
	Title, Question, Source string
	// Run answers it.
	Run func(ctx context.Context, m *Material) (*report.Answer, error)
}

// Answer runs the study and fills in what is the same for all.
func (s Study) Answer(ctx context.Context, m *Material) (*report.Answer, error) {
	r, err := s.Run(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", s.Name, err)
	}
	r.Study, r.Title, r.Question, r.Source = s.Name, s.Title, s.Question, s.Source
	r.Sample = m.sample()
	r.Notes = append(r.Notes, m.Notes...)
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("study %s: %w", s.Name, err)
	}
	return r, nil
}
