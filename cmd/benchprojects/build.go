package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/capture"
)

// copied is a copy of a project that is built by the commands of its capture, with
// nothing of winnow's around them.
type copied struct{ *capture.Capture }

// configured makes a clean copy of a project and runs the steps before its build. Paths
// that configuring writes down are those of the copy.
func (t *trial) configured(ctx context.Context, c *capture.Capture, name string) (*copied, error) {
	twin := *c
	twin.Work = filepath.Join(t.place, name)
	if err := copyFolder(ctx, t.clean, filepath.Join(twin.Work, "source")); err != nil {
		return nil, err
	}
	p := &copied{&twin}
	if err := os.MkdirAll(p.Path(c.System.Build), 0o755); err != nil {
		return nil, err
	}
	for _, step := range c.System.Steps {
		if step.Name == "configure" {
			if _, err := p.do(ctx, step.Dir, step.Argv); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// stepTime bounds a step of a build.
const stepTime = 10 * time.Minute

// do runs a command of the build and returns the CPU time that it took. That it fails
// is an error only where nothing was built, which the tests will tell.
func (p *copied) do(ctx context.Context, dir string, argv []string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	argv = p.Expand(argv...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = p.Path(dir)
	err := cmd.Run()
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		return 0, fmt.Errorf("%s: %w", argv[0], err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
