package scope

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

	"github.com/winnow-mutants/winnow/internal/exit"
)

// readDiff reads a diff from a file of that name, or else asks git for what
// changed since that revision.
func readDiff(ctx context.Context, name string, folders []string) (*Diff, error) {
	text, err := os.ReadFile(name)
	switch {
	case err == nil:
		d, err := ParseDiff(text)
		if err != nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", name, err), "give a unified diff: diff -u, or git diff")
		}
		for _, folder := range slices.Backward(folders) { // names are more often as seen from here
			d.locate(folder)
		}
		return d, nil
	case strings.HasPrefix(name, "-"):
		return nil, exit.Usagef("diff %s: want a file or a git revision", name)
	}
	folder, top, err := repository(ctx, folders)
	if err != nil {
		return nil, fmt.Errorf("diff %s is no file, and git cannot compare with it: %w", name, err)
	}
	// The user's configuration must not change the form of the diff.
	text, err = git(ctx, folder, "diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative",
		"--src-prefix=a/", "--dst-prefix=b/", name, "--")
	if err != nil {
		return nil, fmt.Errorf("diff %s is no file, and git cannot compare with it: %w", name, err)
	}
	d, err := ParseDiff(text)
	if err != nil {
		return nil, fmt.Errorf("reading the output of git diff: %w", err)
	}
	d.locate(top)
	return d, nil
}

// folders are where a diff belongs: that of the program, which may be in a repository
// elsewhere, or else where winnow was started.
func (o *Options) folders() []string {
	if o.Folder != "" || len(o.Inputs) == 0 {
		return []string{o.Folder}
	}
	return []string{filepath.Dir(o.Inputs[0]), ""}
}

// repository is the first folder that is in one, and its top.
func repository(ctx context.Context, folders []string) (folder, top string, err error) {
	for _, folder := range folders {
		out, failed := git(ctx, folder, "rev-parse", "--show-toplevel")
		if failed == nil {
			return folder, strings.TrimRight(string(out), "\r\n"), nil
		}
		err = failed
	}
	return "", "", err
}

// git runs git in a folder and returns what it prints.
func git(ctx context.Context, folder string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = folder
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, exit.New(exit.Tool, err, "install git, or give a file with a unified diff")
	}
	said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	return nil, exit.New(exit.Input, fmt.Errorf("git %s: %w: %s", args[0], err, said),
		"give a revision that exists in a git repository, or a file with a unified diff")
}
