package command_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
)

// A run that waits for a worker that has ended waits for ever.
func TestAWorkerThatEndsWhileItStartsIsNotWaitedFor(t *testing.T) {
	p := build(t, false)
	for after := time.Duration(0); after < 60*time.Millisecond; after += 2 * time.Millisecond {
		ctx, stop := context.WithTimeout(t.Context(), after)
		ended := make(chan error, 1)
		go func() {
			e, err := command.Start(ctx, p.builds, p.scripts(), command.Options{Workers: 1})
			if err == nil {
				err = e.Close()
			}
			ended <- err
		}()
		select {
		case <-ended: // whether it was ready before is all the same
		case <-time.After(50 * time.Second):
			t.Fatalf("it still waits for a worker that was ended after %v", after)
		}
		stop()
	}
}

// A suite of seconds goes on long after the time is up, unless what has begun is ended.
func TestWhatRunsWhenTheTimeIsUpIsEndedWithoutAVerdict(t *testing.T) {
	p := build(t, false)
	p.write(t, "base/slow.sh", "#!/bin/sh\n./rank sum 4 > /dev/null; test -z \"$WINNOW_MUTANT\" || test \"$WINNOW_MUTANT\" -eq 0 || sleep 30\n")
	tests := []command.Test{p.script("slow.sh")}
	begun := time.Now()
	original(t, p.start(t, tests, command.Options{Workers: 1}), tests)
	budget := 3*time.Second + 2*time.Since(begun)
	begun = time.Now()
	var cut atomic.Int64
	e := p.start(t, tests, command.Options{Workers: 2, Until: begun.Add(budget), OnMutant: func(d command.Decision) {
		if d.Runs > 0 && d.Cut {
			cut.Add(1)
			if d.Verdict != execute.Unknown {
				t.Errorf("what was ended is %v", d.Verdict)
			}
		}
	}})
	if _, err := e.Kill(t.Context(), original(t, e, tests), nil, p.list()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 2*budget+10*time.Second {
		t.Errorf("it ended %v after the time was up", took-budget)
	}
	if cut.Load() == 0 {
		t.Error("no run was ended")
	}
}

func TestProbingEndsWhenItsShareOfTheTimeIsOver(t *testing.T) {
	p := build(t, false)
	p.write(t, "base/slow.sh", "#!/bin/sh\n./rank sum 4 > /dev/null; sleep 1\n")
	tests := []command.Test{p.script("slow.sh"), p.script("sum.sh")}
	e := p.start(t, tests, command.Options{Workers: 1, Until: time.Now().Add(3 * time.Second)})
	probe, err := e.Probe(t.Context(), original(t, e, tests))
	if err != nil {
		t.Fatal(err)
	}
	if got := probe.Tests[0].Unprobed; got != "the probing build takes too long" {
		t.Errorf("the slow test: %q", got)
	}
}

// A suite that takes longer than is left is not waited for, nor is it run once more to see whether it
// notices anything.
func TestTheOriginalRunsNoLongerThanThereIsTime(t *testing.T) {
	p := build(t, false)
	p.write(t, "base/slow.sh", "#!/bin/sh\n./rank sum 4 > /dev/null; sleep 60\n")
	p.write(t, "base/blind.sh", "#!/bin/sh\n./rank sum 4; sleep 3\ntrue\n")
	// The second slow test is begun after the blind one, and the third when the time is up.
	tests := []command.Test{p.script("slow.sh"), p.script("blind.sh"), p.script("slow.sh"), p.script("slow.sh")}
	begun := time.Now()
	e := p.start(t, tests, command.Options{Workers: 2, Until: begun.Add(6 * time.Second), OnBlind: func(int, bool) { t.Error("there was no time to find out") }})
	base := original(t, e, tests)
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	for k, want := range []string{command.NoTime, "", command.NoTime, command.NoTime} {
		if got := base.Tests[k].SetAside; got != want {
			t.Errorf("test %d: %q, want %q", k, got, want)
		}
	}
	if slow, ended := base.Tests[0].Reached.Count(), base.Tests[1].Reached.Count(); slow == 0 || slow != ended {
		t.Errorf("the slow test had come to %d sites, the one that ended to %d: they run the same program", slow, ended)
	}
}

// Original does not look at what tests print: those of which it counts are run twice before.
func TestATestThatIsComparedByWhatItPrintsIsRunAgainHoweverLongOthersTake(t *testing.T) {
	p := build(t, false)
	p.write(t, "base/slow.sh", "#!/bin/sh\nsleep 3.5\n")
	p.write(t, "base/flaky.sh", "#!/bin/sh\ncat /proc/sys/kernel/random/uuid\n")
	flaky := p.script("flaky.sh")
	flaky.Compare.Stdout = true
	failing, err := p.start(t, []command.Test{p.script("slow.sh"), flaky}, command.Options{Workers: 1}).Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if failing[0] != nil || failing[1] == nil || !strings.HasPrefix(failing[1].Reason, "flaky: ") {
		t.Errorf("not to be used: %+v and %+v", failing[0], failing[1])
	}
}

// What has not ended by then is no use, and nothing is begun; what is quick can be used.
func TestTestsAreLookedAtNoLongerThanThereIsTime(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	p.write(t, "base/slow.sh", "#!/bin/sh\nsleep 60\n")
	begun := time.Now()
	failing, err := p.start(t, []command.Test{p.script("clamp.sh"), p.script("slow.sh"), p.script("sum.sh")}, command.Options{Workers: 1, Until: begun.Add(3 * time.Second)}).Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if failing[0] != nil || failing[1] == nil || failing[1].Reason != command.Late || failing[2] == nil || failing[2].Reason != command.Late {
		t.Errorf("not to be used: %+v, %+v and %+v", failing[0], failing[1], failing[2])
	}
}
