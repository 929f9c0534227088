package experiment

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// watcher keeps what progress says, and calls stop at the first line of a task.
type watcher struct {
	mu   sync.Mutex
	text bytes.Buffer
	task string
	stop func()
}

func (w *watcher) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop != nil && strings.HasPrefix(string(line), w.task+":") {
		w.stop()
	}
	return w.text.Write(line)
}

// phases are what training does after a history is read, in their order.
var phases = []string{
	"growing trees for fault-revealing", "growing trees for killable", "growing trees for late-killable", "growing trees for revelation",
	"learning from survivors", "judging scores", "judging lists", "simulating test sessions", "comparing orders",
	"looking for features that know the answer", "looking for features that tell fault-revealing", "looking for features that tell killable",
	"growing trees of the final model for fault-revealing",
}

// trainOn does what Train does after a history is read.
func trainOn(ctx context.Context, subjects []subject.Subject, opts Options) error {
	if _, _, err := judge(ctx, subjects, opts); err != nil {
		return err
	}
	if _, err := leakWarnings(ctx, subjects, opts); err != nil {
		return err
	}
	_, err := opts.parts()[0].fit(ctx, subjects, opts)
	return err
}

// Whoever interrupts winnow is told so by its exit status, whatever it was doing,
// and nothing else is begun.
func TestTrainingStopsInWhateverPhaseItIsInterrupted(t *testing.T) {
	subjects := knowing("reach_tests", func(_ *subject.Subject, m int) bool { return m%3 == 0 })
	opts := Options{Seed: 1, Folds: 2, Repetitions: 2, Workers: 2, Strategies: []predict.Strategy{predict.FaRM}, Train: train.Options{Rounds: 3, MinLeafSamples: 5}}
	for k, phase := range phases {
		ctx, cancel := context.WithCancel(t.Context())
		w := &watcher{task: phase, stop: cancel}
		opts.Display = progress.New(w, progress.Options{Mode: progress.Lines, Every: time.Nanosecond})
		err := trainOn(ctx, subjects, opts)
		if !errors.Is(err, context.Canceled) || exit.Of(err) != exit.Interrupted {
			t.Errorf("interrupted while %s: %v", phase, err)
		}
		for _, later := range phases[k+1:] {
			if strings.Contains(w.text.String(), later+":") {
				t.Errorf("interrupted while %s, it was still %s", phase, later)
			}
		}
		cancel()
	}
}

func TestEveryPhaseOfTrainingTellsHowFarItIs(t *testing.T) {
	subjects := knowing("reach_tests", func(_ *subject.Subject, m int) bool { return m%3 == 0 })
	w := &watcher{}
	opts := Options{Seed: 1, Folds: 2, Repetitions: 2, Strategies: []predict.Strategy{predict.FaRM}, Train: train.Options{Rounds: 3, MinLeafSamples: 5},
		Display: progress.New(w, progress.Options{Mode: progress.Lines, Every: time.Hour})}
	if err := trainOn(t.Context(), subjects, opts); err != nil {
		t.Fatal(err)
	}
	want := []string{"6/6", "6/6", "6/6", "6/6", "2/2", "2/2", "8/8", "8/8", "9/9", "2/2", "2/2", "2/2", "3/3"}
	lines := strings.Split(strings.TrimSpace(w.text.String()), "\n")
	if len(lines) != len(phases) {
		t.Fatalf("%d lines of progress:\n%s", len(lines), w.text.String())
	}
	for k, line := range lines {
		if !strings.HasPrefix(line, phases[k]+": "+want[k]+" in ") {
			t.Errorf("line %q, want %s: %s", line, phases[k], want[k])
		}
	}
}
