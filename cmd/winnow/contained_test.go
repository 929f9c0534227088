package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
)

func TestTheSecondOfTwoCommandsOnOneFolderIsRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	held, err := output.Hold(out)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	const calendar = "../../examples/calendar"
	for _, args := range [][]string{
		{"run", calendar},
		{"run", "--resume", calendar},
		{"run", "--force", calendar},
		{"merge", "history"},
		{"mutate", calendar + "/calendar.c"},
		{"train", "history"},
		{"evaluate", "history"},
		{"evaluate", "criteria", "history"},
		{"import", "mart", "folder"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append(args, "--out", out), &stdout, &stderr)
		if code != exit.Output || !strings.Contains(stderr.String(), "another command is writing to "+out) || !strings.Contains(stderr.String(), "hint: wait for its end") {
			t.Errorf("winnow %s: status %v, %s", strings.Join(args, " "), code, stderr.String())
		}
	}
	held.Release()
	if entries, err := os.ReadDir(filepath.Dir(out)); err != nil || len(entries) > 0 {
		t.Errorf("beside it is left: %v, %v", entries, err)
	}
}

// Two jobs that keep verdicts in one place would each write what it has read and found, and
// one would lose what the other has.
func TestTheSecondOfTwoJobsOnOneStoreIsRefused(t *testing.T) {
	store := filepath.Join(t.TempDir(), "verdicts")
	job := []string{"ci", "--cache", store, "--operators", "ROR", "--fail-on", "none", "../../examples/calendar"}
	held, err := output.Hold(filepath.Join(store, "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), job, &stdout, &stderr); code != exit.Output || !strings.Contains(stderr.String(), "another command is writing to "+store) || !strings.Contains(stderr.String(), "hint: wait for the end of the other job, or give this one a folder of its own with --cache") {
		t.Errorf("status %v, %s", code, stderr.String())
	}
	held.Release()
	stderr.Reset()
	if code := run(t.Context(), job, &stdout, &stderr); code != exit.Done {
		t.Errorf("after its end: status %v, %s", code, stderr.String())
	}
	if left := hiddenIn(t, store); !slices.Equal(left, []string{".gitignore"}) {
		t.Errorf("a job leaves %v", left)
	}
}

// hiddenIn lists the names of a folder that begin with a full stop.
func hiddenIn(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	for k, path := range found {
		found[k] = filepath.Base(path)
	}
	return found
}

// scratchIn lists what a command has in a folder for temporary files.
func scratchIn(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEverySignalThatCanBeCaughtEndsACommandInOrder(t *testing.T) {
	// What ignores a signal, as nohup does, has its children ignore it.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	defer signal.Stop(signals)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		temporary := t.TempDir()
		out := filepath.Join(t.TempDir(), "out")
		var stderr bytes.Buffer
		cmd := exec.Command("winnow", "run", "--progress", "silent", "--out", out, "../../examples/calendar")
		cmd.Env, cmd.Stderr = append(os.Environ(), "TMPDIR="+temporary), &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for len(scratchIn(t, temporary)) == 0 { // it has not begun
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the status is looked at
		if code := exit.Code(cmd.ProcessState.ExitCode()); code != exit.Interrupted {
			t.Errorf("%v: status %v, %s", s, code, stderr.String())
		}
		if left := scratchIn(t, temporary); len(left) > 0 {
			t.Errorf("%v: left %v", s, left)
		}
		beside, err := filepath.Glob(filepath.Join(filepath.Dir(out), ".*"))
		if err != nil || len(beside) > 0 {
			t.Errorf("%v: left %v beside the output, %v", s, beside, err)
		}
	}
}

// A project's flags may have a compiler make nothing, or speak to LLVM: the mutants are those of
// the source all the same, and no argument of such a flag is taken for a file.
func TestFlagsThatSayNothingOfTheSourceChangeNoMutant(t *testing.T) {
	ranked := func(flags ...string) string {
		var stdout, stderr bytes.Buffer
		args := append([]string{"rank", "--format", "json", "--operators", "ROR", "../../examples/calendar/calendar.c", "--"}, flags...)
		if code := run(t.Context(), args, &stdout, &stderr); code != exit.Done {
			t.Fatalf("%v: status %v, %s", flags, code, stderr.String())
		}
		return seconds.ReplaceAllString(stdout.String(), "")
	}
	want := ranked()
	if strings.Count(want, `"id"`) < 100 {
		t.Fatalf("without flags there is %s", want)
	}
	for _, flags := range deep.Sample(t, 2, [][]string{{"-fsyntax-only"}, {"-mllvm", "-stats"}, {"-mllvm", "-O2"}, {"-Xclang", "-fsyntax-only"}}) {
		if got := ranked(flags...); got != want {
			t.Errorf("with %v: %d mutants, want %d", flags, strings.Count(got, `"id"`), strings.Count(want, `"id"`))
		}
	}
}
