package agent

import (
	"context"
	"fmt"
	"slices"
	"syscall"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/execute"
)

// Hint is a test that winnow made, and that tells a mutant from the original: both were run.
// Whether what the original does is right, only the user can say.
type Hint struct {
	Test
	Original Ran `json:"original"`
	Mutant   Ran `json:"mutant"`
	// Kills is how many of the mutants that lived it kills.
	Kills int `json:"kills"`
}

// Ran is what a run showed.
type Ran struct {
	Prints string `json:"prints"` // at most mostShown bytes
	Ends   string `json:"ends"`
}

const (
	// mostShown bounds the output that a hint has.
	mostShown = 1 << 14
	// aRound is how many tests are made at a time, mostRounds how often for all mutants, and
	// hintRounds how often again for one that is asked for. Of the survivors in examples 32
	// rounds tell 20 of 188 (bst), 53 of 282 (codec) and 66 of 529 (calendar) in 13 seconds,
	// and eight rounds half of those; many of the others are equivalent.
	aRound, mostRounds, hintRounds = 48, 32, 16
)

// hunt makes tests, and keeps the shortest that tells each mutant, until it is given up or no
// mutant is left. It lets others run between the rounds.
func (s *Session) hunt(ctx context.Context) {
	for range mostRounds {
		s.running.Lock()
		open := s.live()
		s.mu.Lock()
		for id := range s.hints {
			delete(open, id)
		}
		s.mu.Unlock()
		more, err := s.seek(ctx, open)
		s.running.Unlock()
		if len(open) == 0 || !more || err != nil {
			return
		}
	}
}

// seek is a round of a hunt for some mutants; who calls it holds the lock of runs.
func (s *Session) seek(ctx context.Context, wanted map[string]bool) (more bool, err error) {
	ready, err := s.ready(ctx)
	if err != nil {
		return false, err
	}
	found, more, err := ready.Distinguish(ctx, aRound, func(id string) bool { return wanted[id] })
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range found {
		for _, id := range f.Kills {
			if known, ok := s.hints[id]; !ok || len(f.Test.Text) < len(known.Test.Text) {
				s.hints[id] = f
			}
		}
	}
	return more, err
}

// Hint is a test that tells a mutant that lives from the original, made within the form that
// the inputs of the project's tests have; nil where none was found. It takes seconds where
// Ahead has not found one already.
func (s *Session) Hint(ctx context.Context, id string) (*Hint, error) {
	if err := s.runs(ctx); err != nil {
		return nil, err
	}
	i, err := s.find(id)
	if err != nil {
		return nil, err
	}
	if s.of.Build != nil {
		return nil, refusef("the tests of %s are programs of its own: none can be made up for it", s.found.Program)
	}
	s.running.Lock()
	defer s.running.Unlock()
	ctx, cancel := context.WithTimeout(ctx, checking)
	defer cancel()
	id = s.found.Findings[i].ID
	for round := 0; ; round++ {
		if hint, err := s.hint(ctx, id); hint != nil || err != nil || round == hintRounds {
			return hint, err
		}
		more, err := s.seek(ctx, map[string]bool{id: true})
		if err != nil {
			return nil, gone(err, "mutant "+id+" is no more")
		}
		if !more {
			round = hintRounds - 1
		}
	}
}

// Hints is what the call hint gives.
type Hints struct {
	Hint *Hint `json:"hint,omitempty"`
}

func (s *Session) hintsFor(ctx context.Context, id string) (*Hints, error) {
	hint, err := s.Hint(ctx, id)
	return &Hints{hint}, err
}

// Hinted says whether a hint for a mutant is known already.
func (s *Session) Hinted(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.hints[id]
	return ok
}

// hint is the test that is known to tell a mutant; nil where there is none. Who calls it
// holds the lock of runs.
func (s *Session) hint(ctx context.Context, id string) (*Hint, error) {
	s.mu.Lock()
	known, ok := s.hints[id]
	s.mu.Unlock()
	if !ok {
		return nil, nil
	}
	ready, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	original, mutant, err := ready.Both(ctx, known.Test, id)
	if err != nil {
		return nil, err
	}
	return &Hint{
		Test:     Test{Name: known.Test.Name, Input: string(known.Test.Text), Args: slices.Clone(known.Test.Args)},
		Original: RanOf(&original), Mutant: RanOf(&mutant), Kills: len(known.Kills),
	}, nil
}

// RanOf is what a run showed, for people.
func RanOf(shown *campaign.Shown) Ran {
	out := Ran{Prints: string(shown.Output[:min(len(shown.Output), mostShown)])}
	switch shown.Cause {
	case execute.CauseExit:
		out.Ends = fmt.Sprintf("ends with status %d", shown.Status)
	case execute.CauseSignal:
		out.Ends = fmt.Sprintf("is ended by signal %d (%v)", shown.Status, syscall.Signal(shown.Status))
	case execute.CauseWork, execute.CauseTime:
		out.Ends = "does not end in time"
	case execute.CauseOutput:
		out.Ends = "prints without end"
	default:
		out.Ends = "is ended by a limit (" + shown.Cause.String() + ")"
	}
	return out
}
