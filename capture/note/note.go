// Package note writes down what a build does, while it does it: each compile,
// archive and link, each line of a recipe, each test of automake.
//
// A Kit is a folder of names that stand in a build's way. bin is put first on
// PATH and has a name for every compiler, linker and archiver that PATH has; the
// shells below shell are for make's variable SHELL, the drivers below driver for
// automake's LOG_DRIVER and TESTS_ENVIRONMENT, and run/launch sets limits. All are
// one small C program (helper/main.c) under many names: it runs what it stands
// for, and appends a line of JSON to the log. Read turns that into Entries.
//
// # Why a compiled helper
//
// A compile by make must not become visibly slower. Measured over 500 calls that
// stand for a tool that does nothing, on one core: the helper, linked statically,
// adds 0.8 ms a call, a POSIX shell script that notes half as much 5 ms (it has to
// start date, and cannot hash), a Go program of ten lines 2.5 ms, winnow itself
// starting again 47 ms, beside a compile of 15 ms and more. Compiling the helper
// takes 0.4 s, once a capture.
//
// # What is seen, and what is not
//
// A note holds the command line with response files expanded, since these are
// gone when the build is over, and hashes of the objects, archives and programs
// that were read and written: builds move and copy what they make, and use names
// twice, but what a file holds stays. Files over a few hundred megabytes cost time
// here. Left out are questions (cc --version), probes of configure (conftest.c),
// CMake and Meson, and what one tool starts itself (collect2, ccache).
//
// A compiler called by an absolute path is not seen. CMake and Meson are no
// trouble, since they look the compiler up on PATH and find the helper; for the
// environment's CC and its like Install sees to it; a makefile that says
// CC = /usr/bin/gcc needs Kit.Stand on make's command line.
package note

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-mutants/winnow/internal/exit"
)

//go:embed helper/*.c helper/*.h
var helper embed.FS

// Kit is an installed folder of stand-ins.
type Kit struct {
	folder string
	// Env is the environment for the build.
	Env []string
	// names are the tools that have a stand-in, with what they stand for.
	names map[string]string
	// lent are those of them that no program on PATH has.
	lent map[string]string
}

// Runnable is a command for those who have no stand-ins: a name that is only lent is what it stands for.
func (k *Kit) Runnable(command []string) []string {
	if len(command) == 0 || k.lent[command[0]] == "" {
		return command
	}
	return append([]string{k.lent[command[0]]}, command[1:]...)
}

var (
	compilerName = regexp.MustCompile(`^([\w.+-]+-)?(cc|gcc|clang|c89|c99|tcc|c\+\+|g\+\+|clang\+\+|ld|ld\.bfd|ld\.gold|ld\.lld|lld)(-[0-9.]+)?$`)
	binutilName  = regexp.MustCompile(`^([\w.+-]+-)?(ar|ranlib|strip|objcopy)(-[0-9.]+)?$`)
)

// standsIn are the compilers that may be called cc and gcc where no program is.
var standsIn = []string{"gcc", "cc", "clang", "clang-14"}

// naming are the variables in which builds look for tools.
var naming = []string{"CC", "CXX", "CPP", "LD", "AR", "RANLIB", "STRIP"}

// Install compiles the helper and lays the kit out in an empty folder. env is the
// environment that the build would have.
func Install(ctx context.Context, folder string, env []string) (*Kit, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("resolving the folder of the helper: %w", err)
	}
	k := &Kit{folder: folder, names: findTools(variable(env, "PATH")), lent: map[string]string{}}
	if folder, err = filepath.EvalSymlinks(folder); err == nil {
		k.folder = folder
	}
	compiler := ""
	for _, name := range standsIn {
		if path, ok := k.names[name]; ok {
			compiler = path
			break
		}
	}
	if compiler == "" {
		return nil, exit.New(exit.Tool, errors.New("no C compiler was found on PATH"), "on Debian or Ubuntu: sudo apt-get install gcc, or clang-14")
	}
	for name, tool := range map[string]string{"cc": compiler, "gcc": compiler, "clang": k.names["clang-14"]} {
		if k.names[name] == "" && tool != "" { // winnow needs clang-14, and makefiles name it without its version
			k.names[name], k.lent[name] = tool, tool
		}
	}
	k.Env = k.environment(env)
	if err := k.layOut(ctx, compiler); err != nil {
		return nil, err
	}
	return k, nil
}

// findTools returns the tools of PATH by name.
func findTools(path string) map[string]string {
	found := map[string]string{}
	for _, dir := range filepath.SplitList(path) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // PATH may name folders that are not there
		}
		for _, e := range entries {
			name := e.Name()
			full := filepath.Join(dir, name)
			if found[name] != "" || !compilerName.MatchString(name) && !binutilName.MatchString(name) {
				continue
			}
			if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				found[name] = full
			}
		}
	}
	return found
}

// environment puts bin first on PATH, and has tools that variables name by their
// path called by name.
func (k *Kit) environment(env []string) []string {
	out := slices.Clone(env)
	for i, entry := range out {
		name, value, _ := strings.Cut(entry, "=")
		if name == "PATH" {
			out[i] = "PATH=" + filepath.Join(k.folder, "bin") + ":" + value
		}
		if slices.Contains(naming, name) {
			stand, _ := k.stand(value)
			out[i] = name + "=" + stand
		}
	}
	return out
}

// Stand returns a command with a tool that it names by an absolute path replaced
// by the stand-in; other commands are returned as they are.
func (k *Kit) Stand(command string) (string, error) {
	stand, tool := k.stand(command)
	if name := filepath.Base(tool); tool != "" && !exists(filepath.Join(k.folder, "bin", name)) {
		return stand, k.place("bin", name, kindOf(name), tool)
	}
	return stand, nil
}

// Owns says whether a command names its tool by the path of a stand-in.
func (k *Kit) Owns(command string) bool { return strings.HasPrefix(command, k.folder+"/") }

// stand does the same without placing the stand-in; tool is what it stands for, ""
// where there is none.
func (k *Kit) stand(command string) (stand, tool string) {
	tool, rest, more := strings.Cut(command, " ")
	name := filepath.Base(tool)
	if !filepath.IsAbs(tool) || k.Owns(tool) || !compilerName.MatchString(name) && !binutilName.MatchString(name) {
		return command, ""
	}
	if info, err := os.Stat(tool); err != nil || info.IsDir() {
		return command, ""
	}
	if k.names[name] == "" {
		k.names[name] = tool
	} else if !sameFile(k.names[name], tool) {
		return command, "" // another tool has the name
	}
	stand = filepath.Join(k.folder, "bin", name)
	if more {
		stand += " " + rest
	}
	return stand, tool
}

func kindOf(name string) string {
	if binutilName.MatchString(name) {
		return "binutil"
	}
	return "compiler"
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	two, other := os.Stat(b)
	return err == nil && other == nil && os.SameFile(one, two)
}

func (k *Kit) layOut(ctx context.Context, compiler string) error {
	for _, dir := range []string{"helper", "bin", "compiler", "binutil", "shell", "real", "driver", "run"} {
		if err := os.MkdirAll(filepath.Join(k.folder, dir), 0o755); err != nil {
			return fmt.Errorf("laying out the helper: %w", err)
		}
	}
	if err := k.compile(ctx, compiler); err != nil {
		return err
	}
	for name, real := range k.names {
		if err := k.place("bin", name, kindOf(name), real); err != nil {
			return err
		}
	}
	for _, name := range []string{"sh", "bash"} {
		if real := filepath.Join("/bin", name); exists(real) {
			if err := k.place("shell", name, "real", real); err != nil {
				return err
			}
		}
	}
	for _, path := range []string{"driver/test", "driver/env", "run/launch"} {
		if err := os.Link(k.program(), filepath.Join(k.folder, path)); err != nil {
			return fmt.Errorf("laying out the helper: %w", err)
		}
	}
	var began bytes.Buffer
	for _, entry := range k.Env {
		began.WriteString(entry)
		began.WriteByte(0)
	}
	return os.WriteFile(filepath.Join(k.folder, "env"), began.Bytes(), 0o644)
}

// place gives the helper a name in a folder, and says what it stands for there.
// The name is a hard link, so that the helper sees by which one it was started.
func (k *Kit) place(folder, name, kind, real string) error {
	if err := os.Link(k.program(), filepath.Join(k.folder, folder, name)); err != nil {
		return fmt.Errorf("laying out the helper: %w", err)
	}
	if err := os.Symlink(real, filepath.Join(k.folder, kind, name)); err != nil {
		return fmt.Errorf("laying out the helper: %w", err)
	}
	return nil
}

func (k *Kit) program() string { return filepath.Join(k.folder, "helper", "helper.bin") }

// compiled holds the helper by compiler: a process compiles it once.
var compiled sync.Map

// compile builds the helper; statically if it can be, which starts faster.
func (k *Kit) compile(ctx context.Context, compiler string) error {
	program := k.program()
	if binary, ok := compiled.Load(compiler); ok {
		return os.WriteFile(program, binary.([]byte), 0o755)
	}
	dir := filepath.Dir(program)
	if err := os.CopyFS(dir, helper); err != nil {
		return fmt.Errorf("unpacking the helper: %w", err)
	}
	sources, err := filepath.Glob(filepath.Join(dir, "helper", "*.c"))
	if err != nil {
		return fmt.Errorf("listing the helper's sources: %w", err)
	}
	var out []byte
	for _, linking := range [][]string{{"-static"}, nil} {
		cmd := exec.CommandContext(ctx, compiler, slices.Concat([]string{"-O1", "-w", "-o", program}, linking, sources)...)
		if out, err = cmd.CombinedOutput(); err == nil {
			break
		}
	}
	if err != nil {
		return exit.New(exit.Tool, fmt.Errorf("%s cannot compile a small program: %w\n%s", compiler, err, bytes.TrimSpace(out)),
			"on Debian or Ubuntu: sudo apt-get install libc6-dev")
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("reading the helper: %w", err)
	}
	compiled.Store(compiler, binary)
	return nil
}

// Shell is the stand-in for the shell of that name, "sh" or "bash", with the
// assignments of make that have it used.
func (k *Kit) Shell(name, flags string) []string {
	if !exists(filepath.Join(k.folder, "shell", name)) {
		name = "sh"
	}
	return []string{"SHELL=" + filepath.Join(k.folder, "shell", name), ".SHELLFLAGS=--winnow-target=$@ " + flags}
}

// Driver is the stand-in for automake's test driver, DriverEnv what may stand
// first in the TESTS_ENVIRONMENT of automakes that have none.
func (k *Kit) Driver() string { return filepath.Join(k.folder, "driver", "test") }

// DriverEnv : see Driver.
func (k *Kit) DriverEnv() string { return filepath.Join(k.folder, "driver", "env") }

// Launcher is the program that takes limits on itself and runs a command.
func (k *Kit) Launcher() string { return filepath.Join(k.folder, "run", "launch") }

// Real returns text in which every stand-in's path is that of what it stands for,
// and PATH is without the kit.
func (k *Kit) Real(text string) string {
	if !strings.Contains(text, k.folder) {
		return text
	}
	for _, name := range []string{"bash", "sh"} {
		text = strings.ReplaceAll(text, filepath.Join(k.folder, "shell", name), filepath.Join("/bin", name))
	}
	text = strings.ReplaceAll(text, filepath.Join(k.folder, "bin")+":", "")
	return strings.ReplaceAll(text, filepath.Join(k.folder, "bin")+"/", "")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// variable returns a variable of an environment.
func variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}
