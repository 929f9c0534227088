package standby_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/confine"
	"github.com/winnow-mutants/winnow/internal/standby"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

const shell = "/bin/sh"

// library is the library, compiled.
var library = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "standby")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, "standby.so")
	cmd := exec.Command("clang-14", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", out, "-x", "c", "-", "-ldl")
	cmd.Stdin = strings.NewReader(standby.Source)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	return os.ReadFile(out)
})

func waiting(t *testing.T) *standby.Tools {
	t.Helper()
	code, err := library()
	if err != nil {
		t.Fatal(err)
	}
	tools := standby.New(code)
	t.Cleanup(tools.Rest)
	return tools
}

// told is what a call leaves.
type told struct{ printed, said, ended string }

// run calls a tool that waits.
func run(ctx context.Context, t *testing.T, tools *standby.Tools, c standby.Call, input string) (told, error) {
	t.Helper()
	var files [3]*os.File
	for i := range files {
		f, err := standby.Memory()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	if _, err := files[0].WriteString(input); err != nil {
		t.Fatal(err)
	}
	back(t, files[0])
	c.Stdin, c.Stdout, c.Stderr = files[0], files[1], files[2]
	err := tools.Run(ctx, c)
	return told{back(t, files[1]), back(t, files[2]), fmt.Sprint(err)}, err
}

// back goes back to the beginning of a file, and says what is in it.
func back(t *testing.T, f *os.File) string {
	t.Helper()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// started is what the same call leaves in a process that is started for it.
func started(c standby.Call, input string) told {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	err := confine.Run(cmd, c.Own...)
	return told{stdout.String(), stderr.String(), fmt.Sprint(err)}
}

// A tool that waits does as one that is started: the slow way is the twin.
func TestAToolThatWaitsDoesAsOneThatIsStarted(t *testing.T) {
	tools, folder, other := waiting(t), t.TempDir(), t.TempDir()
	testfile.Write(t, filepath.Join(other, "victim"), "precious")
	long := strings.Repeat("0123456789", 100_000)
	for what, c := range map[string]struct {
		script, input string
		args, env     []string
		dir           string
	}{
		"nothing":          {script: ":"},
		"words":            {script: `printf '<%s>' "$0" "$@"`, args: []string{"", "a b", "*", "\n", "ä", "--"}},
		"many words":       {script: `echo $#`, args: strings.Split(strings.Repeat("word ", 20_000), " ")},
		"the environment":  {script: `env | sort`, env: []string{"A=", "B=b c", "PATH=" + os.Getenv("PATH")}},
		"no environment":   {script: `/usr/bin/env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=; echo over`, env: []string{}},
		"a folder":         {script: `pwd; ls`, dir: other},
		"no such folder":   {script: `pwd`, dir: filepath.Join(other, "none")},
		"input":            {script: `cat; cat`, input: "a\nb\x00c"},
		"much input":       {script: `cat; cat >&2 <<E` + "\nx\nE", input: long},
		"a status":         {script: `echo out; echo err >&2; exit 3`},
		"status 255":       {script: `exit 255`},
		"a signal":         {script: `kill -KILL $$`},
		"another signal":   {script: `kill -TERM $$`},
		"a file of others": {script: `echo x > ` + other + `/victim || rm ` + other + `/victim || mkdir ` + other + `/x`},
		"its own file":     {script: `mkdir -p d && echo x > d/f && cat d/f && rm -r d && echo x > /dev/null`, dir: folder},
		"descriptors":      {script: `cd /proc/$$/fd && echo *`},
		"rights":           {script: `grep -E '^(NoNewPrivs|Seccomp):' /proc/$$/status`},
		"limits":           {script: `ulimit -a; umask`},
		"signals ignored":  {script: `grep -E '^Sig(Blk|Ign)' /proc/$$/status`},
		"the tool":         {script: `readlink /proc/$$/exe; env | grep LD_; cat /proc/$$/comm`},
	} {
		env := c.env
		if env == nil {
			env = os.Environ()
		}
		call := standby.Call{Path: shell, Args: append([]string{"-c", c.script, "zero"}, c.args...), Env: env, Dir: c.dir, Own: []string{folder}}
		want := started(call, c.input)
		for range 2 { // the second finds what the first has left
			got, err := run(t.Context(), t, tools, call, c.input)
			switch {
			case what == "no such folder":
				if !errors.Is(err, standby.ErrCannot) || want.ended == "<nil>" {
					t.Errorf("%s: %v, started %v", what, err, want.ended)
				}
			case got != want:
				t.Errorf("%s: %.300q\nstarted: %.300q", what, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
			}
		}
	}
	if testfile.Read(t, filepath.Join(other, "victim")) != "precious" {
		t.Error("a file of others has changed")
	}
}

// Of a variable that is there more than once the last counts, as for what is started: a folder for temporary
// files is given so beside the user's.
func TestTheLastOfVariablesOfOneNameCounts(t *testing.T) {
	call := standby.Call{Path: "/usr/bin/env", Env: []string{"TMPDIR=/first", "A=1", "TMPDIR=/last", "A=1"}, Dir: "/"}
	want := started(call, "")
	if got, _ := run(t.Context(), t, waiting(t), call, ""); got != want || !strings.Contains(want.printed, "TMPDIR=/last\n") {
		t.Errorf("%+v, started %+v", got, want)
	}
}

// The folder is this process's at the time of the call, though the tool was started in another.
func TestTheFolderIsThatOfTheCall(t *testing.T) {
	tools, call := waiting(t), standby.Call{Path: "/bin/pwd", Args: []string{"-P"}, Env: []string{}}
	for range 2 {
		folder := t.TempDir()
		t.Chdir(folder)
		if got, err := run(t.Context(), t, tools, call, ""); err != nil || got != started(call, "") || got.printed != folder+"\n" {
			t.Errorf("in %s: %+v", folder, got)
		}
	}
}

// Nobody listens there: a connection that is not refused by the filter is refused otherwise.
func TestAToolThatWaitsReachesNoNetwork(t *testing.T) {
	got, err := run(t.Context(), t, waiting(t), standby.Call{Path: "/bin/bash", Args: []string{"-c", "exec 3<>/dev/tcp/127.0.0.1/9"}, Env: os.Environ()}, "")
	if err == nil || !strings.Contains(got.said, "Operation not permitted") {
		t.Errorf("a connection: %+v", got)
	}
}

// Many callers have a tool at once, and each has its own answer.
func TestManyCallAToolAtOnce(t *testing.T) {
	tools := waiting(t)
	var all sync.WaitGroup
	for k := range 8 {
		all.Go(func() {
			for i := range 10 {
				word := fmt.Sprintf("%d-%d", k, i)
				got, err := run(t.Context(), t, tools, standby.Call{Path: shell, Args: []string{"-c", `cat; echo "$0"; exit ` + strconv.Itoa(k)}, Env: os.Environ()}, word)
				if k == 0 && err != nil || k > 0 && got.ended != "exit status "+strconv.Itoa(k) || got.printed != word+shell+"\n" {
					t.Errorf("call %s: %+v", word, got)
				}
			}
		})
	}
	all.Wait()
}

// gone waits until a process is no more.
func gone(t *testing.T, pid string) {
	t.Helper()
	number, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatalf("%q is no process", pid)
	}
	for range 500 {
		if syscall.Kill(number, 0) != nil {
			return
		}
		// Whoever adopts it may be slow to look at how it ended.
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", number)); err == nil && strings.Contains(string(status), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d is still there", number)
}

// hanging starts a tool that tells its own process and its server's in a file, and hangs.
func hanging(file string) standby.Call {
	script := `echo $$ $PPID > "$0".new && mv "$0".new "$0" && exec sleep 1000`
	return standby.Call{Path: shell, Args: []string{"-c", script, file}, Env: os.Environ(), Own: []string{filepath.Dir(file)}}
}

// pids waits until hanging has told them.
func pids(t *testing.T, file string) []string {
	t.Helper()
	for range 1000 {
		if text, err := os.ReadFile(file); err == nil {
			return strings.Fields(string(text))
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the tool has not begun")
	return nil
}

func TestACallThatIsCancelledEndsWithItsTool(t *testing.T) {
	tools, file := waiting(t), filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error)
	go func() {
		_, err := run(ctx, t, tools, hanging(file), "")
		over <- err
	}()
	both := pids(t, file)
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
	for _, pid := range both {
		gone(t, pid)
	}
	if got, err := run(t.Context(), t, tools, standby.Call{Path: shell, Args: []string{"-c", "echo again"}, Env: os.Environ()}, ""); err != nil || got.printed != "again\n" {
		t.Errorf("the next call: %+v", got)
	}
	if _, err := run(ctx, t, tools, hanging(file), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that is cancelled before it begins: %v", err)
	}
}

// Whoever ends what waits, as the kernel does where memory is short, ends the call with it.
func TestAToolEndsWithWhatWaits(t *testing.T) {
	tools, file := waiting(t), filepath.Join(t.TempDir(), "pids")
	over := make(chan error)
	go func() {
		_, err := run(t.Context(), t, tools, hanging(file), "")
		over <- err
	}()
	both := pids(t, file)
	server, err := strconv.Atoi(both[1])
	if err != nil || syscall.Kill(server, syscall.SIGKILL) != nil {
		t.Fatalf("%s cannot be ended: %v", both[1], err)
	}
	if err := <-over; !errors.Is(err, standby.ErrCannot) {
		t.Errorf("the call ended with %v", err)
	}
	for _, pid := range both {
		gone(t, pid)
	}
	if got, err := run(t.Context(), t, tools, standby.Call{Path: shell, Args: []string{"-c", "echo again"}, Env: os.Environ()}, ""); err != nil || got.printed != "again\n" {
		t.Errorf("the next call: %+v", got)
	}
}

// The tools of a process that is killed end with it, at work or waiting.
func TestToolsEndWithTheProcessThatCallsThem(t *testing.T) {
	const variable = "STANDBY_TEST_FILE"
	if file := os.Getenv(variable); file != "" {
		tools := waiting(t)
		var both sync.WaitGroup
		both.Go(func() { run(t.Context(), t, tools, hanging(file), "") })
		both.Go(func() {
			idle := hanging(file + "-idle")
			idle.Args[1] = strings.Replace(idle.Args[1], "exec sleep 1000", "exit", 1)
			run(t.Context(), t, tools, idle, "")
		})
		both.Wait()
		return
	}
	file := filepath.Join(t.TempDir(), "pids")
	cmd := exec.Command("/proc/self/exe", "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), variable+"="+file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	all := append(pids(t, file), pids(t, file+"-idle")...)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for _, pid := range all {
		gone(t, pid)
	}
}

func TestToolsThatAreAtRestHaveEndedAndStartAgain(t *testing.T) {
	tools := waiting(t)
	server := func() string {
		got, err := run(t.Context(), t, tools, standby.Call{Path: shell, Args: []string{"-c", "echo $PPID"}, Env: os.Environ()}, "")
		if err != nil {
			t.Fatal(err)
		}
		return got.printed
	}
	first := server()
	if again := server(); again != first {
		t.Errorf("the tool was started again: %q, %q", first, again)
	}
	tools.Rest()
	gone(t, first)
	if again := server(); again == first {
		t.Error("the tool has not ended")
	}
}

// What cannot wait says so, before it has done anything.
func TestToolsThatCannotWaitAreTold(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "script")
	testfile.Write(t, script, "#!/bin/true\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	static := filepath.Join(folder, "static") // nothing can stand in the way of its start
	build := exec.Command("clang-14", "-static", "-o", static, "-x", "c", "-")
	build.Stdin = strings.NewReader("int main(void) { return 0; }")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	code, err := library()
	if err != nil {
		t.Fatal(err)
	}
	ok := standby.Call{Path: shell, Args: []string{"-c", ":"}, Env: os.Environ()}
	zero := ok
	zero.Args = []string{"-c", "a\x00b"}
	for what, c := range map[string]struct {
		tools *standby.Tools
		call  standby.Call
	}{
		"no file":         {standby.New(code), standby.Call{Path: filepath.Join(folder, "none")}},
		"another start":   {standby.New(code), standby.Call{Path: static}},
		"not the library": {standby.New([]byte("not a library")), ok},
		"a zero":          {standby.New(code), zero},
	} {
		for range 2 {
			if _, err := run(t.Context(), t, c.tools, c.call, ""); !errors.Is(err, standby.ErrCannot) {
				t.Errorf("%s: %v", what, err)
			}
		}
		c.tools.Rest()
	}
	if standby.Pays(script) || standby.Pays(shell) || standby.Pays(static) || standby.Pays(filepath.Join(folder, "none")) {
		t.Error("tools that start quickly, or start others, are to wait")
	}
	clang, err := exec.LookPath("clang-14")
	if err != nil {
		t.Fatal(err)
	}
	if !standby.Pays(clang) {
		t.Error("clang is not to wait")
	}
	t.Setenv("LD_PRELOAD", "/lib/other.so")
	if standby.Pays(clang) {
		t.Error("clang is to wait, though it is to be started with another library")
	}
}
