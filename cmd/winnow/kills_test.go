//go:build linux && (amd64 || arm64)

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/paths"
)

// number is one of the environment, or what it is where there is none.
func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s=%s is no number", name, text)
	}
	return n
}

// At whatever moment a command is killed, what can appear at once is there whole or not at
// all, and the same command, given again, ends with the same bytes as one that nobody killed.
// WINNOW_KILLS says how often each command is, WINNOW_SEED when (make check-kills).
func TestACommandThatIsKilledAtAnyMomentLosesNothing(t *testing.T) {
	hits, commands := number(t, "WINNOW_KILLS", deep.Count(1, 3)), deep.Count(3, len(writingCommands))
	if os.Getenv("WINNOW_KILLS") != "" {
		commands = len(writingCommands)
	}
	m := newMaterial(t)
	for k, c := range deep.Spread(t, commands, writingCommands) {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(number(t, "WINNOW_SEED", 1)), uint64(k)))
			out := m.prepare(t, c)
			before, begun := result(t, out), time.Now()
			m.must(t, c.with(out)...)
			took, after := time.Since(begun), result(t, out)
			tries := 0
			for hit := 0; hit < hits; tries++ {
				if tries > 20*hits+20 {
					t.Fatalf("of %d kills %d came in time", tries, hit)
				}
				if m.kill(t, c, time.Duration(random.Int64N(int64(took))), before, after) {
					hit++
				}
			}
			t.Logf("%d of %d kills came before the command's end, which took %v undisturbed", hits, tries, took.Round(time.Millisecond))
		})
	}
}

// kill kills a command at a moment, and gives it again. It says whether the command was still
// at work.
func (m *material) kill(t *testing.T, c writing, at time.Duration, before, after map[string]string) bool {
	t.Helper()
	out, temporary := m.before(t, c), t.TempDir()
	defer os.RemoveAll(filepath.Dir(out)) // hundreds would fill the disk before the test ends
	cmd, stderr := m.command(t, temporary, c.with(out)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(at)
	_ = cmd.Process.Kill() // it may have ended
	if _ = cmd.Wait(); cmd.ProcessState.Exited() {
		if !cmd.ProcessState.Success() {
			t.Fatalf("%s: %v\n%s", c.name, cmd.ProcessState, stderr)
		}
		return false
	}
	fail := func(format string, values ...any) {
		t.Errorf("%s, killed after %v: %s\n%s", c.name, at, fmt.Sprintf(format, values...), stderr)
	}
	if there := seen(result(t, out)); c.atOnce && !maps.Equal(there, before) && !maps.Equal(there, after) {
		fail("there is %v in place of what was there, or of what is to be", difference(there, after))
	}
	if c.again != nil || !paths.Exist(out) {
		cmd, stderr = m.command(t, temporary, append(c.with(out), c.again...)...)
		if err := cmd.Run(); err != nil {
			fail("given again: %v", err)
		}
	}
	if got := result(t, out); !maps.Equal(got, after) {
		fail("given again, there is %v", difference(got, after))
	}
	if c.again != nil {
		for _, left := range append(scratchIn(t, temporary), hidden(t, filepath.Dir(out))...) {
			fail("it left %s", left)
		}
	}
	return true
}

// seen are the files that are not below a draft, which readers pass over.
func seen(files map[string]string) map[string]string {
	if files == nil {
		return nil
	}
	out := maps.Clone(files)
	maps.DeleteFunc(out, func(name, _ string) bool {
		for at := name; at != "." && at != ""; at = path.Dir(at) {
			if output.Beside(path.Base(at)) {
				return true
			}
		}
		return false
	})
	return out
}
