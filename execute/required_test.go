//go:build linux

package execute_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// What this machine cannot do is told to who asks, and is a reason to run nothing for those
// who say so. The kernel's word counts, of which a process that nobody confined has none.
func TestWhatAMachineCannotConfineIsSaidOrRefused(t *testing.T) {
	// Not this process: a thread of it may have confined itself to start a compiler.
	free := exec.Command("sleep", "60")
	if err := free.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { free.Process.Kill(); free.Wait() }() //nolint:errcheck // killed
	if confined, err := execute.Confined(free.Process.Pid); confined || err != nil {
		t.Errorf("the kernel says that sleep is confined: %v, %v", confined, err)
	}
	binary := linkAttack(t, filepath.Join("testdata", "attack.c"), layOut(t))
	for name, options := range map[string]execute.Options{
		"without namespaces":            execute.WithoutNamespaces(execute.Options{}),
		"without filter and namespaces": execute.Weak(execute.Options{}),
	} {
		var told []execute.Sandbox
		options.Sandboxed = func(s execute.Sandbox) { told = append(told, s) }
		start(t, binary, arguments("t"), options)
		if len(told) != 1 || len(told[0].Weaknesses()) == 0 {
			t.Errorf("%s: told %v", name, told)
		}
		options.RequireSandbox = true
		_, err := execute.Start(t.Context(), binary, arguments("t"), options)
		var refused *execute.SandboxError
		if !errors.As(err, &refused) || len(refused.Weaknesses) == 0 || exit.Of(err) != exit.System || exit.HintOf(err) == "" {
			t.Errorf("%s, and the sandbox is required: %v", name, err)
		}
	}
}
