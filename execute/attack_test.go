//go:build linux

package execute_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// attacks is how many there are in attack.c, each before, in and after main.
const attacks = 81

// loot is what attacks are after: files, and sockets that nobody is to reach.
type loot struct {
	folder  string
	tcp     net.Listener
	udp     net.PacketConn
	gate    net.Listener
	reached chan string
}

func layOut(t *testing.T) *loot {
	t.Helper()
	folder, err := os.MkdirTemp("", "loot-") // short enough for a socket's name
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	l := &loot{folder: folder, reached: make(chan string, 100)}
	open := func(path string) { // for whoever the runs are
		for ; path != "/" && path != os.TempDir(); path = filepath.Dir(path) {
			_ = os.Chmod(path, 0o777) // those above may be another's
		}
	}
	for _, name := range []string{"victim", "secret"} {
		if err := os.WriteFile(filepath.Join(l.folder, name), []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if l.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if l.udp, err = net.ListenPacket("udp", l.tcp.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if l.gate, err = net.Listen("unix", filepath.Join(l.folder, "gate")); err != nil {
		t.Fatal(err)
	}
	open(filepath.Join(l.folder, "gate"))
	for _, listener := range []net.Listener{l.tcp, l.gate} {
		go func() {
			for {
				if _, err := listener.Accept(); err != nil {
					return
				}
				l.reached <- listener.Addr().String()
			}
		}()
	}
	go func() {
		if _, from, err := l.udp.ReadFrom(make([]byte, 1)); err == nil {
			l.reached <- from.String()
		}
	}()
	t.Cleanup(func() { l.tcp.Close(); l.udp.Close(); l.gate.Close() })
	return l
}

// untouched fails when anything of the loot is not as it was laid out, or a process is left.
func (l *loot) untouched(t *testing.T, e *execute.Engine) {
	t.Helper()
	entries, err := os.ReadDir(l.folder)
	if err != nil || len(entries) != 3 {
		t.Errorf("beside the victim: %v, %v", entries, err)
	}
	info, err := os.Stat(filepath.Join(l.folder, "victim"))
	if err != nil || info.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("the victim: %v, %v", info, err)
	}
	if text, err := os.ReadFile(filepath.Join(l.folder, "victim")); err != nil || string(text) != "precious" {
		t.Errorf("the victim was touched: %q, %v", text, err)
	}
	if _, err := os.Stat("/tmp/winnow-was-here"); err == nil {
		t.Error("a run wrote to /tmp")
	}
	select {
	case who := <-l.reached:
		t.Errorf("a run reached %s", who)
	case <-time.After(20 * time.Millisecond):
	}
	noneLeft(t, e)
}

// linkAttack builds a program of testdata that knows where the loot is.
func linkAttack(t *testing.T, source string, l *loot, flags ...string) string {
	t.Helper()
	link(t, "echo.c") // compiles the runtime
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "attack")
	port := l.tcp.Addr().(*net.TCPAddr).Port
	flags = append([]string{"-Itestdata", fmt.Sprintf("-DLOOT=%q", l.folder), fmt.Sprintf("-DPORT=%d", port)}, flags...)
	if err := tools.Link(context.Background(), out, append([]string{source}, built.runtime...), flags); err != nil {
		t.Fatal(err)
	}
	return out
}

// privileges are the ways in which winnow is started; each names a weaker one.
var privileges = []struct {
	name       string
	user       bool
	namespaces bool
}{
	{"root or who runs the tests", false, true},
	{"root without namespaces", false, false},
	{"a user with user namespaces", true, true},
	{"a user without user namespaces", true, false},
}

// asUser is set in the process that TestAttacks… starts as nobody in particular.
const asUser = "WINNOW_TEST_AS_USER"

func TestNoAttackChangesAFileReachesASocketOutlivesItsRunOrReadsASecret(t *testing.T) {
	if os.Getenv(asUser) != "" {
		attackAll(t, os.Getenv(asUser) == "namespaces")
		return
	}
	for _, p := range privileges {
		if !p.user {
			t.Run(p.name, func(t *testing.T) { attackAll(t, p.namespaces) })
		} else if os.Geteuid() == 0 {
			t.Run(p.name, func(t *testing.T) { attackAsUser(t, p.namespaces) })
		}
	}
}

// attackAsUser repeats the test in a process that is not root.
func attackAsUser(t *testing.T, namespaces bool) {
	how := "namespaces"
	if !namespaces {
		how = "none"
	}
	folder, err := os.MkdirTemp("/tmp", "winnow-attack-") // a user cannot reach everywhere
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "tests")
	text, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, text, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(folder, "testdata"), os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-test.run", "^TestNoAttackChanges", "-test.v")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), asUser+"="+how, "TMPDIR="+folder, "HOME="+folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65533, Gid: 65533}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "attacks") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// attackAll makes every attack in a run of its own and looks what came of it.
func attackAll(t *testing.T, namespaces bool) {
	l := layOut(t)
	binary := linkAttack(t, filepath.Join("testdata", "attack.c"), l)
	options := execute.Options{Workers: 2, Tier: execute.Fork, WallFloor: 500 * time.Millisecond}
	if !namespaces {
		options = execute.WithoutNamespaces(options)
	}
	// A descriptor as a shell hands it on, that of its lock.
	kept, err := os.OpenFile(filepath.Join(l.folder, "victim"), os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	e := start(t, binary, arguments("t"), options)
	if held := e.Sandbox(); !held.Filter || !held.Files || held.Namespaces != namespaces {
		t.Errorf("the sandbox: %v", held)
	}
	var mutants []execute.Mutant
	for phase := 1; phase <= 3; phase++ {
		for attack := range attacks {
			mutants = append(mutants, execute.Mutant{Selector: int32(100*phase + attack)})
		}
	}
	result := kill(t, e, mutants)
	succeeded := 0
	for m, mutant := range result.Mutants {
		if got := result.Verdict(m, 0); got != survived {
			succeeded++
			cell, _ := result.Cell(m, 0)
			t.Errorf("attack %d %s main: %v (%+v)", mutant.Selector%100, []string{"before", "in", "after"}[mutant.Selector/100-1], got, cell)
		}
	}
	l.untouched(t, e)
	t.Logf("%d attacks, %d succeeded: %v", len(mutants), succeeded, e.Sandbox())
}

// TestNothingOfTheProgramRunsOutsideOfARun has programs whose code would run before the
// runtime's own does, or in its place.
func TestNothingOfTheProgramRunsOutsideOfARun(t *testing.T) {
	refused := map[string]string{
		"first of all":  `static void first(void){*(volatile int*)0=0;} __attribute__((section(".preinit_array"),used)) static void(*const mine)(void)=first;`,
		"by assembler":  `void evil(void){*(volatile int*)0=0;} __asm__(".section .preinit_array,\"aw\"\n.quad evil\n.text\n");`,
		"as a resolver": `static int one(void){return 1;} static int(*choose(void))(void){*(volatile int*)0=0;return one;} int chosen(void) __attribute__((ifunc("choose"))); int use(void){return chosen();}`,
	}
	confined := map[string]string{
		"as a constructor":                  `__attribute__((constructor)) static void c(void){ steal(); }`,
		"in .init_array":                    `static void c(int n,char**a,char**e){ steal(); } __attribute__((section(".init_array"),used)) static void(*const p)(int,char**,char**)=c;`,
		"in .init_array by assembler":       `void evil(void){ steal(); } __asm__(".section .init_array,\"aw\"\n.quad evil\n.text\n");`,
		"in .init by assembler":             `void evil(void){ steal(); } __asm__(".section .init,\"ax\"\ncall evil\n.text\n");`,
		"in .fini_array":                    `static void c(void){ steal(); } __attribute__((section(".fini_array"),used)) static void(*const p)(void)=c;`,
		"as syscall":                        `long syscall(long n, ...){ steal(); return 0; }`,
		"as malloc":                         `extern void *__libc_malloc(unsigned long); void *malloc(unsigned long n){ steal(); return __libc_malloc(n); }`,
		"as prctl, fork, mmap and mprotect": `int prctl(int o,...){ steal(); return 0; } int fork(void){ steal(); return 0; } void *mmap(void*a,long b,int c,int d,int e,long f){ steal(); return (void*)-1; } int mprotect(void*a,long b,int c){ steal(); return 0; }`,
		"as memcpy, memset and strcmp":      `void *memset(void*p,int c,unsigned long n){ steal(); for(unsigned long i=0;i<n;i++)((volatile char*)p)[i]=c; return p; }`,
		"as on_exit":                        `int on_exit(void(*f)(int,void*),void*p){ steal(); return 0; }`,
	}
	const program = `#define _GNU_SOURCE
#include "meta.h"
#include <sys/syscall.h>
SITES(1)
static long ask(long n, long a, long b, long c) { long r; __asm__ volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r; }
static int broke;
/* A child that stays, a file that is new, and one that is old. */
static void steal(void) {
  if (ask(SYS_fork, 0, 0, 0) >= 0 || ask(SYS_clone, 17, 0, 0) >= 0) broke = 1;
  if (ask(SYS_open, (long)LOOT "/beside", 0101, 0666) >= 0 || ask(SYS_unlink, (long)LOOT "/victim", 0, 0) >= 0) broke = 1;
  if (ask(SYS_socket, 2, 1, 0) >= 0 || ask(SYS_write, 4, (long)"x", 1) >= 0 || ask(SYS_kill, -1, 9, 0) >= 0) broke = 1;
}
%s
int winnow_program_main(void) {
  SITE(0);
  WORK();
  ask(SYS_write, 1, (long)(broke ? "broke" : MUTANT(2) ? "wrong" : "right"), 5);
  return 0;
}
`
	l := layOut(t)
	write := func(code string) string {
		source := filepath.Join(t.TempDir(), "program.c")
		testfile.Write(t, source, fmt.Sprintf(program, code))
		return source
	}
	for name, code := range refused {
		t.Run(name, func(t *testing.T) {
			_, err := execute.Start(t.Context(), linkAttack(t, write(code), l), arguments("t"), execute.Options{})
			if err == nil || !strings.Contains(err.Error(), execute.ErrImage.Error()) {
				t.Errorf("it was not refused: %v", err)
			}
		})
	}
	for name, code := range confined {
		t.Run(name, func(t *testing.T) {
			e := start(t, linkAttack(t, write(code), l), arguments("t"), execute.Options{Workers: 1, Tier: execute.Fork, AuditEvery: 1})
			result := kill(t, e, selectors(2))
			if one, two := result.Verdict(0, 0), result.Verdict(1, 0); one != survived || two != killed {
				t.Errorf("verdicts %v and %v, want survived and killed", one, two)
			}
			if _, output, err := e.Observe(t.Context(), 0, 0); err != nil || string(output) != "right" {
				t.Errorf("it printed %q, %v", output, err)
			}
			l.untouched(t, e)
		})
	}
}
