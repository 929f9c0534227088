package built

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
)

// measure has other tools measure criteria on the tests that can be used: objects that count
// take the places of all that the build compiled of the subject's sources.
func (r *recording) measure(ctx context.Context, suite *suite) error {
	start := time.Now()
	target := &coverage.Target{Root: r.build.Path("source"), Base: r.build.Work, Tests: suite.tests, Workers: r.opts.Workers,
		Unusable: func(test int, o execute.Outcome) string {
			switch {
			case suite.failing != nil && suite.failing[test] != nil:
				return suite.failing[test].Reason
			case !suite.tests[test].Passes(o):
				return "it fails on this build"
			}
			return ""
		}}
	sources := map[string]bool{}
	for _, u := range r.units() {
		sources[u.Source] = true
	}
	var ids []string
	for i := range r.build.Units {
		u := &r.build.Units[i]
		if u.Language != "c" || !sources[u.Source] {
			continue
		}
		in := r.input(u)
		ids = append(ids, u.ID)
		target.Units = append(target.Units, coverage.Unit{Source: in.Path, Dir: in.Directory, Flags: in.Flags})
	}
	target.Place = func(ctx context.Context, layer string, objects []string, runtime string) error {
		if err := os.Mkdir(filepath.Join(layer, objectsFolder), 0o755); err != nil {
			return err
		}
		// The build sees no folder of ours but the layer. The tool reads the objects later, where they are.
		seen := func(path string) string {
			return filepath.Join(r.build.Work, objectsFolder, filepath.Base(path))
		}
		places := map[string]string{}
		for k, id := range ids {
			places[id] = seen(objects[k])
		}
		for _, path := range append(slices.Clone(objects), runtime) {
			if err := os.Link(path, filepath.Join(layer, objectsFolder, filepath.Base(path))); err != nil {
				return err
			}
		}
		script, err := r.build.Remake(places, seen(runtime))
		if err != nil {
			return err
		}
		err = command.Prepare(ctx, r.build.Work, layer, []string{"/bin/sh", "-c", script}, r.build.Work, os.Environ(), linking)
		if failed := new(command.BuildError); errors.As(err, &failed) {
			return fmt.Errorf("linking %s with objects that count: %s", r.build.Subject.Name, strings.TrimSpace(failed.Output))
		}
		return err
	}
	done := r.during(fmt.Sprintf("measuring what the tests cover with %s", r.opts.Criteria.Names()))
	defer done()
	out, err := r.opts.Criteria.Measure(ctx, target, r.opts.Progress)
	if err != nil {
		return err
	}
	r.criteria, r.summary.CriteriaFailed = out.Matrices, out.Failed
	for k, tool := range r.opts.Criteria.Tools {
		r.stages = append(r.stages, dataset.Stage{Name: tool.Name, Seconds: out.Took[k].Seconds()})
	}
	done()
	r.say("measured what the tests cover with %s (%.1f s)", r.opts.Criteria.Names(), time.Since(start).Seconds())
	return nil
}
