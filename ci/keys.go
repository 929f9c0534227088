package ci

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// What of a function's IR depends on where it stands in the file: references to debug
// information, and the calls that only carry it.
var (
	debugCall      = regexp.MustCompile(`(?m)^.*call void @llvm\.dbg\..*\n`)
	debugReference = regexp.MustCompile(`,? ?!dbg !\d+|,? ?!\w+(\.\w+)* !\d+| #\d+`)
)

// keys are, by the id of a mutant, the hash of what its verdict depends on: its function, the
// tests and the tools.
func (c *check) keys(ctx context.Context, p *program.Program) (map[string]string, error) {
	tests, err := c.tests(ctx, p)
	if err != nil {
		return nil, err
	}
	context := fmt.Sprintf("%s\n%s\n%s\n%+v", c.opts.Record.Tool, c.tools.Clang, tests, c.of.Behaviour)
	out := map[string]string{}
	for _, u := range p.Units {
		functions := map[string]string{}
		for _, f := range u.Module.LLVM.Funcs {
			text := debugReference.ReplaceAllString(debugCall.ReplaceAllString(f.LLString(), ""), "")
			sum := sha256.Sum256([]byte(context + text))
			functions[f.Name()] = hex.EncodeToString(sum[:8])
		}
		for i := range u.Mutants {
			out[u.Mutants[i].ID] = functions[u.Mutants[i].Function]
		}
	}
	return out, nil
}

// tests is a hash of the tests. Those of a project with a build of its own may be any of its
// files, so that all but the mutated sources count.
func (c *check) tests(ctx context.Context, p *program.Program) (string, error) {
	if c.of.Build == nil {
		return project.Contents(c.of.Tests)
	}
	files, err := c.files(ctx)
	if err != nil {
		return "", err
	}
	mutated := map[string]bool{}
	for _, u := range p.Units {
		if rel, err := filepath.Rel(c.source(), u.Input.Path); err == nil {
			mutated[filepath.ToSlash(rel)] = true
		}
	}
	hash := sha256.New()
	for _, name := range files {
		if mutated[name] {
			continue
		}
		if err := hashFile(hash, filepath.Join(c.opts.Folder, name), name); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

func hashFile(to io.Writer, path, name string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // removed since git listed it, or no file
	}
	f, err := os.Open(path)
	if err != nil {
		return exit.New(exit.System, err, "")
	}
	defer f.Close()
	fmt.Fprintf(to, "%q %d\n", name, info.Size())
	if _, err := io.Copy(to, f); err != nil {
		return exit.New(exit.System, err, "")
	}
	return nil
}

// files are those that git knows of, or all below the folder but hidden ones.
func (c *check) files(ctx context.Context) ([]string, error) {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z")
	cmd.Dir = c.opts.Folder
	if text, err := cmd.Output(); err == nil && len(text) > 0 {
		out := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
		slices.Sort(out)
		return out, nil
	}
	var out []string
	err := filepath.WalkDir(c.opts.Folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(c.opts.Folder, path)
		switch {
		case name != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			out = append(out, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	return out, nil
}

// source is where the copy of a project with a build of its own is mutated.
func (c *check) source() string {
	options, err := c.of.Build.Capture()
	if err != nil {
		return ""
	}
	return filepath.Join(options.Work, "source")
}

// relocate makes a diff one of the copy that is built, where the project has one.
func (c *check) relocate(ctx context.Context) error {
	diff := c.opts.Mutation.Scope.Diff
	if diff == "" {
		return nil
	}
	if c.of.Build == nil {
		c.opts.Mutation.Scope.Folder = c.opts.Folder
		return nil
	}
	c.opts.Mutation.Scope.Folder = c.source()
	if _, err := os.Stat(diff); err == nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, "git", "diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--relative", "--src-prefix=a/", "--dst-prefix=b/", "--end-of-options", diff, "--")
	cmd.Dir = c.opts.Folder
	text, err := cmd.Output()
	if err != nil {
		return exit.New(exit.Input, fmt.Errorf("git diff %s: %w", diff, err), "give a revision that exists in a git repository, or a file with a unified diff")
	}
	c.opts.Mutation.Scope.Diff = filepath.Join(c.scratch, "changes.diff")
	if len(text) == 0 { // no diff is no empty diff to those who read it
		text = []byte("--- a/nothing.c\n+++ b/nothing.c\n")
	}
	if err := os.WriteFile(c.opts.Mutation.Scope.Diff, text, 0o644); err != nil {
		return exit.New(exit.System, err, "")
	}
	return nil
}
