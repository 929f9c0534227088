package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/diskfault"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// TestMain makes the test binary serve as winnow itself for the scripts.
func TestMain(m *testing.M) {
	diskfault.Main() // a command whose disk fails
	command.Main()   // a worker of winnow, started by itself
	testscript.Main(m, map[string]func(){"winnow": main})
}

// TestScripts runs testdata/script/*.txtar: sessions with the command as a
// user would type them.
func TestScripts(t *testing.T) { runScripts(t, scriptsIn(t, "script")) }

// TestSessions runs testdata/session/*.txtar: whole ways of a user, which take as long as all
// other scripts together. The tester's is the sample.
func TestSessions(t *testing.T) {
	sessions := scriptsIn(t, "session")
	slices.Reverse(sessions)
	runScripts(t, deep.Sample(t, 1, sessions))
}

func scriptsIn(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", folder, err)
	}
	return files
}

func runScripts(t *testing.T, files []string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Files:               files,
		UpdateScripts:       golden.Update(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// Scripts that hide the tools of LLVM still need winnow on PATH.
			winnow, err := exec.LookPath("winnow")
			if err != nil {
				return err
			}
			env.Setenv("WINNOWBIN", filepath.Dir(winnow))
			env.Setenv("TMPDIR", env.WorkDir)
			examples, err := filepath.Abs(filepath.Join(repository, "examples"))
			env.Setenv("EXAMPLES", examples)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": expectStatus, "columns": expectColumns},
	})
}

// expectStatus is the script command "status CODE winnow ARGS...": it fails unless
// the command exits with just that status.
func expectStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND [ARGS...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		var coded interface{ ExitCode() int }
		if !errors.As(err, &coded) {
			ts.Fatalf("%v", err)
		}
		got = coded.ExitCode()
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// expectColumns is the script command "columns FILE NAME,...": it fails unless
// the Parquet file has just those columns, and rows.
func expectColumns(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: columns FILE NAME,...")
	}
	t, err := table.Read(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := strings.Join(t.Schema().Names(), ","); got != args[1] {
		ts.Fatalf("columns %s, want %s", got, args[1])
	}
	if t.Rows() == 0 {
		ts.Fatalf("%s has no rows", args[0])
	}
}

func TestEveryCommandsHelpEndsWithItsExitStatuses(t *testing.T) {
	root, _ := newRoot()
	for _, cmd := range withAllBelow(root) {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			continue // cobra's own
		}
		var out bytes.Buffer
		code := run(t.Context(), append(strings.Fields(cmd.CommandPath())[1:], "--help"), &out, os.Stderr)
		if code != exit.Done {
			t.Errorf("%s --help exits with %v", cmd.CommandPath(), code)
		}
		if !strings.HasSuffix(out.String(), exitStatus(cmd)) || !strings.Contains(exitStatus(cmd), "please report it") {
			t.Errorf("the help of %s does not end with its exit statuses:\n%s", cmd.CommandPath(), out.String())
		}
	}
}

func withAllBelow(cmd *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		out = append(out, withAllBelow(sub)...)
	}
	return out
}

func TestEveryVerbHasAShortAndALongText(t *testing.T) {
	for _, cmd := range verbs() {
		if cmd.Short == "" || cmd.Long == "" || cmd.Args == nil || cmd.RunE == nil {
			t.Errorf("%s lacks a text, a check of its arguments, or RunE", cmd.Name())
		}
		for line := range strings.Lines(cmd.Long) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 96 {
				t.Errorf("the help of %s has a line of %d characters: %s", cmd.Name(), n, line)
			}
		}
	}
}

func TestAPanicBecomesStatus70AndAsksForAReport(t *testing.T) {
	inWorker := func() exit.Code {
		_, _ = parallel.Map(t.Context(), 2, []int{0, 1}, func(context.Context, int, int) (int, error) { panic("boom") })
		return exit.Done
	}
	for name, f := range map[string]func() exit.Code{
		"in the command": func() exit.Code { panic("boom") },
		"in a worker":    inWorker,
	} {
		var stderr bytes.Buffer
		if code := guard(&stderr, f); code != exit.Internal {
			t.Errorf("%s: status %v, want internal", name, code)
		}
		for _, want := range []string{"internal error: boom", "main_test.go", issues} {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: the message lacks %q:\n%s", name, want, stderr.String())
			}
		}
	}
}

func TestAnErrorOfTheCommandLineIsTheUsersAndOneOfTheWorkIsNot(t *testing.T) {
	work := errors.New("the work failed")
	root, started := newRoot()
	verb := &cobra.Command{Use: "verb", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return work }}
	verb.Flags().String("needed", "", "")
	if err := verb.MarkFlagRequired("needed"); err != nil {
		t.Fatal(err)
	}
	root.AddCommand(verb)
	noteStart(verb, started)
	root.SetArgs([]string{"verb"})
	if err := root.Execute(); err == nil || *started {
		t.Errorf("a missing flag: err %v, started %v", err, *started)
	}
	root.SetArgs([]string{"verb", "--needed=x"})
	if err := root.Execute(); !errors.Is(err, work) || !*started {
		t.Errorf("failing work: err %v, started %v", err, *started)
	}
}

func TestACancelledCommandSaysThatItWasInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	if code := run(ctx, []string{"doctor"}, &stdout, &stderr); code != exit.Interrupted {
		t.Errorf("status %v, want interrupted", code)
	}
	if stdout.Len() != 0 || stderr.String() != "winnow: interrupted\n" {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
}

func TestHintsAndRequestsForReportsArePrintedWhereTheyBelong(t *testing.T) {
	var out bytes.Buffer
	printError(&out, "", exit.New(exit.Input, errors.New("x.c does not compile"), "mend it"))
	if got, want := out.String(), "winnow: x.c does not compile\nhint: mend it\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	out.Reset()
	printError(&out, "", errors.New("nobody expected this"))
	if !strings.Contains(out.String(), issues) {
		t.Errorf("an unclassified error does not ask for a report: %q", out.String())
	}
}
