package command_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
)

// TestATracedRunHandsBackWhatItLeftAndNothingOfTheRunBefore runs two tests on one worker.
func TestATracedRunHandsBackWhatItLeftAndNothingOfTheRunBefore(t *testing.T) {
	base, layer := t.TempDir(), t.TempDir()
	sh := func(script string) []string { return []string{"/bin/sh", "-c", script} }
	tests := []command.Test{
		{Name: "leaves", Dir: base, Argv: sh(`mkdir -p "$AT/deep" && echo one > "$AT/deep/a" && echo two > "$AT/b"; exit 3`)},
		{Name: "leaves nothing", Dir: base, Argv: sh(`rmdir "$AT"`)},
	}
	e, err := command.Start(t.Context(), command.Builds{Base: base, Traced: layer}, tests, command.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var mu sync.Mutex
	left, ended := map[string]string{}, map[string]execute.Outcome{}
	err = e.Trace(context.Background(), []string{"AT=" + command.TracesFolder()}, func(test int, o execute.Outcome, run command.Left) error {
		mu.Lock()
		defer mu.Unlock()
		ended[tests[test].Name] = o
		for _, f := range run.Traces {
			left[tests[test].Name+" "+filepath.ToSlash(f.Name)] = string(f.Text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 2 || left["leaves deep/a"] != "one\n" || left["leaves b"] != "two\n" {
		t.Errorf("left %q", left)
	}
	if ended["leaves"].Status != 3 || ended["leaves nothing"].Status != 0 {
		t.Errorf("ended %v, want the statuses of the commands", ended)
	}
}
