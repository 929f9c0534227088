package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/internal/confine"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// check is one thing that winnow doctor looks at.
type check struct {
	Name string
	// OnFailure is what a failure means: statusMissing or statusWarning.
	OnFailure status
	// Cure is what the user can do about a failure.
	Cure string
	// Run returns what it found, or why the check fails.
	Run func(context.Context) (detail string, err error)
}

// checks lists what is looked at, what others rest on first.
func checks() []check {
	install := "on Debian or Ubuntu: sudo apt-get install " + strings.Join(clang.Packages, " ")
	return []check{
		{"system", statusMissing, "run winnow on Linux, e.g. in a container", system},
		{"LLVM tools", statusMissing, install, llvmTools},
		{"temporary files", statusMissing, "set TMPDIR to a folder that you may write to", temporaryFiles},
		{"C programs", statusMissing, install + "; and TMPDIR must allow programs to run (no noexec)", compileAndRun},
		{"sanitizers", statusWarning, "for import --augment, on Debian or Ubuntu: sudo apt-get install " + clang.SanitizerPackage, sanitizers},
		{"confined tools", statusWarning, "run a Linux of 5.13 or later with Landlock switched on, so that compilers, builds and mutants write to their folders alone", confinedTools},
		{"namespaces", statusWarning, "allow unprivileged user namespaces, so that mutants run without a network: sysctl kernel.unprivileged_userns_clone=1", namespaces},
		{"processors", statusWarning, "allow more CPUs: work is spread over them", processors},
	}
}

// examine runs the checks one after the other: each takes milliseconds, and
// some rest on what an earlier one found.
func examine(ctx context.Context) diagnosis {
	d := diagnosis{OK: true}
	for _, c := range checks() {
		f := finding{Name: c.Name, Status: statusOK}
		detail, err := c.Run(ctx)
		f.Detail = detail
		if err != nil {
			f.Status, f.Detail, f.Cure = c.OnFailure, err.Error(), c.Cure
		}
		d.OK = d.OK && f.Status != statusMissing
		d.Checks = append(d.Checks, f)
	}
	return d
}

func system(context.Context) (string, error) {
	here := runtime.GOOS + "/" + runtime.GOARCH
	if runtime.GOOS != "linux" {
		return "", fmt.Errorf("%s is not Linux", here)
	}
	return here, nil
}

var versionNumber = regexp.MustCompile(`version (\d+(\.\d+)+)`)

// llvmTools asks each tool for its version, since a tool that is found but
// cannot start (a broken link, the wrong machine) is as good as missing.
func llvmTools(ctx context.Context) (string, error) {
	tools, err := clang.Find()
	if err != nil {
		return "", err
	}
	var found []string
	for _, path := range []string{tools.Clang, tools.Opt, tools.Assemble, tools.Disasm} {
		out, err := exec.CommandContext(ctx, path, "--version").Output()
		if err != nil {
			return "", fmt.Errorf("asking %s for its version: %w", path, err)
		}
		m := versionNumber.FindSubmatch(out)
		if m == nil || !strings.HasPrefix(string(m[1]), clang.Version+".") {
			return "", fmt.Errorf("%s is not of version %s: it says %.80q", path, clang.Version, out)
		}
		found = append(found, fmt.Sprintf("%s %s", filepath.Base(path), m[1]))
	}
	return strings.Join(found, ", "), nil
}

// sanitizers are what import --augment checks the tests with that it makes.
func sanitizers(ctx context.Context) (string, error) {
	return withTools(func(tools *clang.Toolchain, dir string) (string, error) {
		return "a program can be linked with them", tools.CheckSanitizer(ctx, dir)
	})
}

// withTools calls try with the tools and a folder that goes away.
func withTools(try func(tools *clang.Toolchain, dir string) (string, error)) (string, error) {
	tools, err := clang.Find()
	if err != nil {
		return "", fmt.Errorf("not tried: %w", clang.ErrMissing)
	}
	work, err := scratch.New("doctor")
	if err != nil {
		return "", err
	}
	defer work.Remove()
	return try(tools, work.Path)
}

func confinedTools(context.Context) (string, error) {
	if lacks := confine.Lacks(); lacks != "" {
		return "", errors.New(lacks)
	}
	return "write to their own folders, without a network", nil
}

func temporaryFiles(context.Context) (string, error) {
	f, err := os.CreateTemp("", "winnow-doctor-")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString("winnow")
	if closing := f.Close(); err == nil {
		err = closing
	}
	return os.TempDir(), err
}

const smallProgram = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    return printf("%s\n", "winnow") == (int)strlen("winnow") + 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
`

// compileAndRun takes the way that every program takes: C to IR, IR to an
// executable, and a run of it.
func compileAndRun(ctx context.Context) (string, error) {
	return withTools(func(tools *clang.Toolchain, dir string) (string, error) { return compileAndRunIn(ctx, tools, dir) })
}

func compileAndRunIn(ctx context.Context, tools *clang.Toolchain, dir string) (string, error) {
	source, ir, program := filepath.Join(dir, "small.c"), filepath.Join(dir, "small.ll"), filepath.Join(dir, "small")
	if err := os.WriteFile(source, []byte(smallProgram), 0o600); err != nil {
		return "", err
	}
	text, err := tools.Compile(ctx, source, nil)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(ir, text, 0o600); err != nil {
		return "", err
	}
	if err := tools.Link(ctx, program, []string{ir}, nil); err != nil {
		return "", err
	}
	// Ten seconds are for a machine that is busy with other things.
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, program).Output()
	if err != nil {
		return "", fmt.Errorf("running a program just compiled: %w", err)
	}
	if string(out) != "winnow\n" {
		return "", fmt.Errorf("a program just compiled printed %q", out)
	}
	return "compiled, linked and run", nil
}

func processors(context.Context) (string, error) {
	return fmt.Sprintf("%d of %d usable", runtime.GOMAXPROCS(0), runtime.NumCPU()), nil
}
