package progress

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clock is a time that only tests move.
type clock struct{ t time.Time }

func (c *clock) now() time.Time          { return c.t }
func (c *clock) advance(d time.Duration) { c.t = c.t.Add(d) }

func TestLinesAreAppendedAtMostOnceInTheGivenTimeAndOnceAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	task := New(&out, Options{Mode: Lines, Every: 10 * time.Second, Now: c.now}).Start("run", 200)
	for range 100 {
		c.advance(250 * time.Millisecond)
		task.Add(1)
	}
	task.Done()
	want := "run: 40/200 (20%), 4/s, 40s left\n" +
		"run: 80/200 (40%), 4/s, 30s left\n" +
		"run: 100/200 in 25s, 4/s\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if strings.ContainsAny(out.String(), "\r\x1b") {
		t.Error("a log must not hold terminal controls")
	}
}

func TestATaskOfUnknownLengthPromisesNoEnd(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	task := New(&out, Options{Mode: Lines, Every: time.Second, Now: c.now}).Start("search", 0)
	c.advance(2 * time.Second)
	task.Add(3)
	task.Done()
	if want := "search: 3, 1.5/s\nsearch: 3 in 2s, 1.5/s\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestATaskThatWasNotBegunLeavesNoLine(t *testing.T) {
	var out bytes.Buffer
	New(&out, Options{Mode: Lines}).Start("run", 200).Done()
	if out.Len() > 0 {
		t.Errorf("got %q", out.String())
	}
	New(&out, Options{Mode: Lines}).Start("run", 0).Done() // nothing was to do
	if !strings.HasPrefix(out.String(), "run: 0") {
		t.Errorf("got %q", out.String())
	}
}

func TestAutoWritesLinesToAFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if d := New(f, Options{}); d.opts.Mode != Lines {
		t.Errorf("mode for a file is %v, want lines", d.opts.Mode)
	}
}

func TestTheBarShowsCountAndRateAndLeavesOneLineBehind(t *testing.T) {
	var out bytes.Buffer
	task := New(&out, Options{Mode: Bar}).Start("train", 4)
	task.Add(3)
	if drawn := out.String(); !strings.Contains(drawn, "train") || !strings.Contains(drawn, "/4") {
		t.Errorf("the bar was drawn as %q, want label and total", drawn)
	}
	task.Add(5) // more than was promised must do no harm
	task.Done()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\r")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "train: 8/4 in ") {
		t.Errorf("the last line is %q", last)
	}
}

func TestSilenceIsSilentAndNilIsToo(t *testing.T) {
	var out bytes.Buffer
	var none *Display
	for _, d := range []*Display{none, New(&out, Options{Mode: Silent})} {
		task := d.Start("run", 10)
		task.Add(10)
		task.Done()
	}
	if out.Len() != 0 {
		t.Errorf("silence wrote %q", out.String())
	}
}

func TestModesAreReadAsTheyAreWritten(t *testing.T) {
	for _, m := range []Mode{Auto, Bar, Lines, Silent} {
		var got Mode
		if err := got.Set(m.String()); err != nil || got != m {
			t.Errorf("Set(%q) = %v, %v", m.String(), got, err)
		}
	}
	var m Mode
	if err := m.Set("loud"); err == nil || !strings.Contains(err.Error(), "silent") {
		t.Errorf("Set(loud) = %v, want an error that lists the modes", err)
	}
}

// What has no steps is told of while it lasts, and what is short leaves no line in a log.
func TestWorkWithoutStepsIsTold(t *testing.T) {
	var log, bar bytes.Buffer
	for _, lasts := range []time.Duration{0, 250 * time.Millisecond} {
		done := New(&log, Options{Mode: Lines, Every: 100 * time.Millisecond}).During("building")
		time.Sleep(lasts)
		done()
		done() // again is nothing
		if told := strings.HasPrefix(log.String(), "building: 10"); told != (lasts > 0) {
			t.Errorf("what lasts %v leaves %q", lasts, log.String())
		}
	}
	done := New(&bar, Options{Mode: Bar}).During("building")
	done()
	drawn := bar.Len()
	time.Sleep(300 * time.Millisecond)
	if !strings.Contains(bar.String(), "building") || bar.Len() != drawn || strings.Contains(bar.String(), "\n") {
		t.Errorf("drawn: %q", bar.String())
	}
	New(&bar, Options{Mode: Silent}).During("nothing")()
	(*Display)(nil).During("nothing")()
	if bar.Len() != drawn {
		t.Error("silence is not silent")
	}
}
