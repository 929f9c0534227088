package importer

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/project"
)

// GitOptions choose which commits of a project are recorded, and how.
type GitOptions struct {
	// Range is what git log takes, e.g. v1..HEAD; Last how many commits of it, the newest, that
	// changed the project.
	Range string
	Last  int
	// Run is how each is recorded.
	Run campaign.RunOptions
	// Say is told what is done; nil is silent.
	Say func(line string)
}

// GitVersion is a commit, and what became of it.
type GitVersion struct {
	Commit string `json:"commit"`
	// Added is nil where nothing was recorded, for a reason.
	Added  *dataset.Added `json:"added,omitempty"`
	Reason string         `json:"reason,omitempty"`
}

// CommitOption is the option of a manifest that names the commit.
const CommitOption = "commit"

// Git records the commits of a project, the first first, as versions of it in a history: what one
// commit's tests let live and a later one's kill is then known (the label latent). A commit that
// cannot be recorded does not keep the others from it.
func Git(ctx context.Context, tools *clang.Toolchain, folder, history string, opts GitOptions) ([]GitVersion, error) {
	listed, err := git(ctx, folder, "rev-list", "--first-parent", "--reverse", fmt.Sprintf("--max-count=%d", opts.Last), "--end-of-options", opts.Range, "--", ".")
	if err != nil {
		return nil, err
	}
	commits := strings.Fields(string(listed))
	if len(commits) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("no commit of %s changed %s", opts.Range, folder), "")
	}
	work, err := scratch.New("commits")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	g := &gitRecorder{tools, folder, history, work.Path, opts}
	return g.each(ctx, commits, g.record)
}

// each records commits, and says what became of each. One that cannot be used does not keep the others from it.
func (g *gitRecorder) each(ctx context.Context, commits []string, record func(ctx context.Context, commit string) (*dataset.Added, error)) ([]GitVersion, error) {
	var out []GitVersion
	for k, commit := range commits {
		if g.opts.Say != nil {
			g.opts.Say(fmt.Sprintf("commit %.12s (%d of %d)", commit, k+1, len(commits)))
		}
		one := GitVersion{Commit: commit}
		var err error
		one.Added, err = record(ctx, commit)
		switch code := exit.Of(err); {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case code == exit.Input || code == exit.Baseline || code == exit.Timeout || code == exit.Usage:
			one.Reason, _, _ = strings.Cut(err.Error(), "\n")
		case err != nil:
			return out, fmt.Errorf("commit %.12s: %w", commit, err)
		}
		out = append(out, one)
	}
	return out, nil
}

type gitRecorder struct {
	tools           *clang.Toolchain
	folder, history string
	work            string
	opts            GitOptions
}

// record takes a commit's files, records them as winnow run does, and adds that to the history.
func (g *gitRecorder) record(ctx context.Context, commit string) (*dataset.Added, error) {
	name, err := filepath.Abs(g.folder)
	if err != nil {
		return nil, fmt.Errorf("resolving the folder: %w", err)
	}
	place := filepath.Join(g.work, commit)
	sources, out := filepath.Join(place, filepath.Base(name)), filepath.Join(place, "run")
	defer os.RemoveAll(place)
	if err := g.extract(ctx, commit, sources); err != nil {
		return nil, err
	}
	_, err = campaign.Run(ctx, g.tools, []string{sources}, out, g.opts.Run)
	run, err := campaign.Recorded(out, err)
	if err != nil {
		return nil, err
	}
	return g.add(ctx, commit, run)
}

// add adds the run of a commit to the history.
func (g *gitRecorder) add(ctx context.Context, commit string, run *dataset.Run) (*dataset.Added, error) {
	m := run.Manifest
	if m.Options == nil {
		m.Options = map[string]string{}
	}
	m.Options[CommitOption] = commit
	if err := dataset.Seal(run.Dir, m); err != nil {
		return nil, err
	}
	run.Manifest = m
	return dataset.Add(ctx, g.history, run)
}

// extract writes the files of the project's folder as a commit has them. Where it has no project
// file, today's is taken: winnow came later.
func (g *gitRecorder) extract(ctx context.Context, commit, to string) error {
	archive, err := git(ctx, g.folder, "archive", "--format=tar", commit)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("extracting a commit: %w", err)
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return fmt.Errorf("extracting a commit: %w", err)
	}
	defer root.Close()
	if err := untar(root, bytes.NewReader(archive)); err != nil {
		return fmt.Errorf("extracting commit %.12s: %w", commit, err)
	}
	if _, err := root.Lstat(project.File); err == nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(g.folder, project.File))
	if err != nil {
		return exit.Mark(exit.Input, project.ErrNoProject, err)
	}
	return root.WriteFile(project.File, text, 0o644)
}

// untar writes files, folders and links below a folder, and nothing outside of it.
func untar(root *os.Root, r io.Reader) error {
	for in := tar.NewReader(r); ; {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.Clean(head.Name)
		switch head.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o755)
		case tar.TypeSymlink:
			err = root.Symlink(head.Linkname, name)
		case tar.TypeReg:
			err = extractFile(root, name, in, head.FileInfo().Mode()&0o755)
		}
		if err != nil {
			return err
		}
	}
}

func extractFile(root *os.Root, name string, in io.Reader, mode os.FileMode) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
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
		return nil, exit.New(exit.Tool, err, "install git")
	}
	said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	return nil, exit.New(exit.Input, fmt.Errorf("git %s: %w: %s", args[0], err, said), "name a folder in a git repository, and commits that are there")
}
