//go:build linux

package execute_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// TestMain adopts orphans, so that whatever outlives a server becomes a child
// of the test process, where noneLeft finds it.
func TestMain(m *testing.M) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "execute-test-")
	if err != nil {
		panic(err)
	}
	built.folder = folder
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// built holds the programs of testdata that were linked, and the runtime's
// objects, which all share.
var built struct {
	sync.Mutex
	folder   string
	runtime  []string
	programs map[string]string
}

// link builds testdata/name as a meta-mutant, once.
func link(t testing.TB, name string) string {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	built.Lock()
	defer built.Unlock()
	if built.runtime == nil {
		sources, err := execute.RuntimeSources(built.folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			object := source + ".o"
			if err := tools.Object(context.Background(), object, source, nil); err != nil {
				t.Fatal(err)
			}
			built.runtime = append(built.runtime, object)
		}
		built.programs = map[string]string{}
	}
	out, ok := built.programs[name]
	if !ok {
		out = filepath.Join(built.folder, name+".meta")
		inputs := append([]string{filepath.Join("testdata", name)}, built.runtime...)
		if err := tools.Link(context.Background(), out, inputs, nil); err != nil {
			t.Fatal(err)
		}
		built.programs[name] = out
	}
	return out
}

// start starts an engine that ends with the test.
func start(t testing.TB, binary string, tests []execute.Test, o execute.Options) *execute.Engine {
	t.Helper()
	e, err := execute.Start(context.Background(), binary, tests, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func originals(t testing.TB, e *execute.Engine) *execute.Baseline {
	t.Helper()
	base, err := e.Originals(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return base
}

func kill(t testing.TB, e *execute.Engine, mutants []execute.Mutant) *execute.Result {
	t.Helper()
	result, err := e.Kill(context.Background(), originals(t, e), mutants)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// inputs writes one test for each text.
func inputs(t testing.TB, texts ...string) []execute.Test {
	t.Helper()
	folder := t.TempDir()
	var tests []execute.Test
	for i, text := range texts {
		file := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tests = append(tests, execute.Test{Name: strconv.Itoa(i), Input: file})
	}
	return tests
}

// arguments makes one test without input for each argument.
func arguments(args ...string) []execute.Test {
	var tests []execute.Test
	for _, arg := range args {
		tests = append(tests, execute.Test{Name: arg, Args: []string{arg}})
	}
	return tests
}

// selectors makes mutants 1 to n of site 0.
func selectors(n int) []execute.Mutant {
	out := make([]execute.Mutant, n)
	for i := range out {
		out[i] = execute.Mutant{Selector: int32(i + 1)}
	}
	return out
}

// noneLeft fails when a process below the test process is still there a moment after engines
// have ended their servers.
func noneLeft(t testing.TB, engines ...*execute.Engine) {
	t.Helper()
	for _, e := range engines {
		e.Rest()
	}
	for range 100 {
		if len(children(t)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("processes survive: %v", children(t))
}

// children are the processes that engines have started: the compiler's, which wait for their next call, end
// before they are counted.
func children(t testing.TB) []string {
	t.Helper()
	clang.Rest()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(lists) == 0 {
		t.Fatalf("no list of children (%v)", err)
	}
	var out []string
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if os.IsNotExist(err) {
			continue // the thread ended
		}
		for _, pid := range strings.Fields(string(text)) {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			// An adopted orphan that is dead waits for us to ask how it died.
			if dead := err != nil || strings.Contains(string(stat), ") Z "); !dead {
				out = append(out, string(stat))
			}
		}
	}
	return out
}
