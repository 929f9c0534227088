// Package progress shows how far a long job has come: a bar with count, rate
// and time left on a terminal, lines that are only ever appended where the
// output is a file or a log, or nothing.
//
// It writes to standard error, never to where results go, and a run's results
// do not depend on it. A nil *Display and a nil *Task are silent, so libraries
// take a *Display and never ask whether there is one.
package progress

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Mode is how progress is shown. It is a flag value (pflag.Value), spelt as
// its String.
type Mode int

const (
	// Auto is a bar on a terminal and lines elsewhere.
	Auto Mode = iota
	// Bar is redrawn in place.
	Bar
	// Lines are appended, at most one in Options.Every for each task.
	Lines
	// Silent shows nothing.
	Silent
)

var modeNames = []string{Auto: "auto", Bar: "bar", Lines: "lines", Silent: "silent"}

// String returns the mode as users write it.
func (m Mode) String() string { return modeNames[m] }

// Set reads a mode as users write it.
func (m *Mode) Set(s string) error {
	for mode, name := range modeNames {
		if s == name {
			*m = Mode(mode)
			return nil
		}
	}
	return fmt.Errorf("unknown way to show progress %q: want one of %s", s, strings.Join(modeNames, ", "))
}

// Type names the values for help texts.
func (m *Mode) Type() string { return strings.Join(modeNames, "|") }

// Options say how to show progress; the zero value is what most callers want.
type Options struct {
	Mode Mode
	// Every is the least time between two lines of a task; 0 means 10 s, which
	// keeps an hour's log at a few hundred lines.
	Every time.Duration
	// Now replaces the clock of Lines, for tests; nil means time.Now.
	Now func() time.Time
}

func (o Options) withDefaults(out io.Writer) Options {
	if o.Mode == Auto {
		o.Mode = Lines
		if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
			o.Mode = Bar
		}
	}
	if o.Every == 0 {
		o.Every = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Display is where tasks show their progress.
type Display struct {
	out  io.Writer
	opts Options
}

// New returns a display that writes to out.
func New(out io.Writer, opts Options) *Display {
	return &Display{out: out, opts: opts.withDefaults(out)}
}

// Start begins a task of total steps (0 or less: nobody knows how many),
// labelled by a word or two. End it with Done.
func (d *Display) Start(label string, total int) *Task {
	if d == nil || d.opts.Mode == Silent {
		return nil
	}
	t := &Task{out: d.out, opts: d.opts, label: label, total: max(total, 0)}
	t.began = t.opts.Now()
	t.lastLine = t.began
	if d.opts.Mode == Bar {
		t.bar = newBar(d.out, label, total)
	}
	return t
}

// During shows that something without steps is being done, until done is called: on a terminal at
// once, and nothing stays of it; in a log a line for each Options.Every that it lasts.
func (d *Display) During(what string) (done func()) {
	if d == nil || d.opts.Mode == Silent {
		return func() {}
	}
	if d.opts.Mode == Bar {
		bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(d.out), progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(true))
		_ = bar.RenderBlank() // one that cannot be drawn must not stop the work
		return sync.OnceFunc(func() { _ = errors.Join(bar.Finish(), bar.Clear()) })
	}
	began, ended := time.Now(), make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(d.opts.Every):
				fmt.Fprintf(d.out, "%s: %s so far\n", what, short(time.Since(began)))
			}
		}
	})
	return sync.OnceFunc(func() {
		close(ended)
		ticking.Wait()
	})
}

func newBar(out io.Writer, label string, total int) *progressbar.ProgressBar {
	if total <= 0 {
		total = -1 // progressbar's word for unknown: it draws a spinner
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(label),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// Task is one job whose steps are counted. Its methods may be called from
// several goroutines.
type Task struct {
	out   io.Writer
	opts  Options
	label string
	total int // 0 when unknown
	began time.Time

	mu       sync.Mutex
	done     int
	lastLine time.Time
	bar      *progressbar.ProgressBar // nil in mode Lines
}

// Add counts n more steps.
func (t *Task) Add(n int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += n
	if t.bar != nil {
		// A bar that cannot be drawn must not stop the work it tells of.
		_ = t.bar.Add(n)
		return
	}
	if now := t.opts.Now(); now.Sub(t.lastLine) >= t.opts.Every {
		t.lastLine = now
		fmt.Fprintln(t.out, t.line(now))
	}
}

// Done ends the task, whether or not all of its steps were made, and leaves one
// line that says how many were and how long they took. A task that was interrupted
// before its first step leaves none: nothing was done.
func (t *Task) Done() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bar != nil {
		_ = t.bar.Exit()
		_ = t.bar.Clear()
	}
	if t.total > 0 && t.done == 0 {
		return
	}
	elapsed := t.opts.Now().Sub(t.began)
	fmt.Fprintf(t.out, "%s: %s in %s%s\n", t.label, t.count(), short(elapsed), rate(t.done, elapsed))
}

// line is the state of an unfinished task, e.g. "run: 1200/5000 (24%), 350/s, 11s left".
func (t *Task) line(now time.Time) string {
	elapsed := now.Sub(t.began)
	s := t.label + ": " + t.count()
	if t.total > 0 {
		s += fmt.Sprintf(" (%d%%)", 100*t.done/t.total)
	}
	s += rate(t.done, elapsed)
	if left := t.total - t.done; left > 0 && t.done > 0 {
		s += fmt.Sprintf(", %s left", short(time.Duration(float64(elapsed)/float64(t.done)*float64(left))))
	}
	return s
}

func (t *Task) count() string {
	if t.total > 0 {
		return fmt.Sprintf("%d/%d", t.done, t.total)
	}
	return fmt.Sprint(t.done)
}

// rate is ", N/s", or nothing where too little was measured to say.
func rate(done int, elapsed time.Duration) string {
	if done == 0 || elapsed <= 0 {
		return ""
	}
	return fmt.Sprintf(", %.3g/s", float64(done)/elapsed.Seconds())
}

// short rounds a duration to what a person reads: seconds, or milliseconds
// below one second.
func short(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
