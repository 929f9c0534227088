package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/matrix"
)

// patched is a mutant as a change of a file, and what winnow says of it.
type patched struct {
	id, file, text string
	start, end     int64
	killed         bool
}

// holdPatches draws mutants that were decided and that tests reach, makes the change of
// each in a layer over the project as its own compiler built it, has its own build make
// what depends on that, and runs the tests that were used, all confined. Whether one of
// them fails has to be what winnow says.
func (t *trial) holdPatches(ctx context.Context, c *capture.Capture) error {
	all, used, err := t.drawn()
	if err != nil {
		return err
	}
	twin := *c
	twin.Work = filepath.Join(t.place, "make") // as ownMake has left it
	p := &copied{&twin}
	t.tallies, t.checked = nil, nil
	for _, step := range p.System.Steps {
		if step.Name == "check" { // what many tests are is only built then
			if _, err := p.do(ctx, step.Dir, step.Argv); err != nil {
				return err
			}
		}
	}
	for k, m := range all {
		if k == 0 { // no change at all: what fails now says nothing of patches
			fails, err := t.tryPatch(ctx, p, &patched{id: "none", file: m.file}, used)
			if err != nil || fails {
				return errors.Join(errors.New("its tests fail when it is built again without any change"), err)
			}
		}
		killed, err := t.tryPatch(ctx, p, &m, used)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.Patches++
		switch {
		case err != nil:
			line, _, _ := strings.Cut(err.Error(), "\n")
			t.Disagree = append(t.Disagree, fmt.Sprintf("%s: its patch: %s", m.id, line))
		case killed != m.killed:
			t.Disagree = append(t.Disagree, fmt.Sprintf("%s in %s: winnow says killed: %v, its patch: %v", m.id, m.file, m.killed, killed))
		default:
			t.Agree++
		}
		fmt.Fprintf(t.errs, "patch %s: killed %v, winnow %v\n", m.id, killed, m.killed)
	}
	return nil
}

// drawn are some of the mutants that a patch stands for, the same each time, and the
// names of the tests that were used. What C leaves undefined, compilers do as they like: those are not among them.
func (t *trial) drawn() ([]patched, []string, error) {
	history, err := dataset.OpenHistory(t.out())
	if err != nil {
		return nil, nil, err
	}
	s, err := history.Runs[0].Load(dataset.KillsFile, dataset.EditsFile, dataset.ProofsFile)
	if err != nil {
		return nil, nil, err
	}
	undefined := s.MayBeUndefined()
	verdicts := map[string]bool{}
	for i, id := range s.Kills.Mutants() {
		if v := s.Kills.Verdict(i); v != matrix.Unknown && !s.Kills.Reached(i).Empty() && undefined[id] == "" {
			verdicts[id] = v == matrix.Killed
		}
	}
	var out []patched
	e := s.Edits
	text := func(row int, name string) string { return e.Value(row, e.Schema().Index(name)).(string) }
	number := func(row int, name string) int64 { return e.Value(row, e.Schema().Index(name)).(int64) }
	for row := range e.Rows() {
		if killed, known := verdicts[text(row, "id")]; known {
			out = append(out, patched{text(row, "id"), text(row, "file"), text(row, "text"), number(row, "start"), number(row, "end"), killed})
		}
	}
	draw := rand.New(rand.NewPCG(1, uint64(len(out))))
	draw.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(t.patches, len(out))], s.Kills.Tests(), nil
}

// tryPatch says whether a test fails with a change.
func (t *trial) tryPatch(ctx context.Context, p *copied, m *patched, used []string) (killed bool, err error) {
	original, err := os.ReadFile(p.Path("source/" + m.file))
	if err != nil {
		return false, err
	}
	if m.start < 0 || m.end < m.start || m.end > int64(len(original)) {
		return false, errors.New("it lies outside of its file")
	}
	changed := slices.Concat(original[:m.start], []byte(m.text), original[m.end:])
	if err := os.WriteFile(p.Path("changed.c"), changed, 0o644); err != nil {
		return false, err
	}
	layer := filepath.Join(t.place, "layer")
	if err := errors.Join(os.RemoveAll(layer), os.MkdirAll(layer, 0o755)); err != nil {
		return false, err
	}
	var script strings.Builder
	fmt.Fprintf(&script, "cat %s >%s\n", quoted(p.Path("changed.c")), quoted(p.Path("source/"+m.file)))
	for _, step := range p.System.Steps {
		if step.Name == "build" || step.Name == "check" { // which often builds test programs
			fmt.Fprintf(&script, "cd %s && timeout %.0f %s\n", quoted(p.Path(step.Dir)), t.wall().Seconds()+t.Make*10, quoted(p.Expand(step.Argv...)...))
		}
	}
	script.WriteString("true\n") // what was not built makes a test fail
	if err := command.Prepare(ctx, p.Work, layer, []string{"/bin/sh", "-c", script.String()}, p.Work, os.Environ(), stepTime); err != nil {
		return false, err
	}
	return t.fails(ctx, p, layer, used)
}

// fails runs the used tests on a layer.
func (t *trial) fails(ctx context.Context, p *copied, layer string, used []string) (bool, error) {
	builds := command.Builds{Base: p.Work, Mutants: layer}
	if t.checked == nil {
		if err := t.check(ctx, p, builds, used); err != nil {
			return false, err
		}
	}
	var tallies []string
	// A change that hangs does so in most tests: the first few that fail are enough.
	for some := range slices.Chunk(t.checked, 4) {
		failed, told, err := t.runTests(ctx, builds, some)
		if err != nil || failed {
			return failed, err
		}
		tallies = append(tallies, told...)
		// Some count their failures, and end well all the same.
		if t.tallies != nil && !slices.Equal(tallies, t.tallies[:len(tallies)]) {
			return true, nil
		}
	}
	if t.tallies == nil {
		t.tallies = tallies // of no change
	}
	return false, nil
}

// runTests says whether one of some tests fails on a layer, and what they counted.
func (t *trial) runTests(ctx context.Context, builds command.Builds, some []command.Test) (failed bool, tallies []string, err error) {
	engine, err := command.Start(ctx, builds, some, command.Options{BaselineWall: t.wall()})
	if err != nil {
		return false, nil, err
	}
	defer engine.Close()
	base, err := engine.Original(ctx, make([]*command.Failing, len(some)))
	if err != nil {
		return false, nil, err
	}
	failed = slices.ContainsFunc(base.Tests, func(one execute.TestBaseline) bool { return one.SetAside != "" }) ||
		slices.ContainsFunc(engine.Columns(), func(c command.Column) bool { return c.SetAside != "" })
	return failed, engine.Tallies(), nil
}

// check finds what the used tests say of the project as it was built: which cases of them pass, and how they end.
func (t *trial) check(ctx context.Context, p *copied, builds command.Builds, used []string) error {
	var tests []command.Test
	for i := range p.Tests {
		if one := &p.Tests[i]; isUsed(one, used) {
			tests = append(tests, command.Test{Name: one.Name, Argv: p.Expand(one.Argv...), Dir: p.Path(one.Dir), Env: p.Environment(one, os.Getenv("PATH")), Fails: one.Fails, Skip: one.Skip})
		}
	}
	engine, err := command.Start(ctx, builds, tests, command.Options{BaselineWall: t.wall()})
	if err != nil {
		return err
	}
	defer engine.Close()
	failing, err := engine.Check(ctx, nil)
	if err != nil {
		return err
	}
	for i, one := range tests {
		if failing[i] == nil {
			one.Cases, one.Status, one.Tally = engine.Cases()[i], engine.Statuses()[i], engine.Tallies()[i]
			t.checked = append(t.checked, one)
		}
	}
	if t.checked == nil {
		return errors.New("none of its tests that were used passes when they run again")
	}
	return nil
}

// isUsed says that a column of a run is a test's, or one of its cases' (command.Columns).
func isUsed(test *capture.Test, columns []string) bool {
	return slices.ContainsFunc(columns, func(column string) bool {
		rest, begins := strings.CutPrefix(column, test.Name)
		return begins && (rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, " ("))
	})
}

// wall bounds how long a test may take.
func (t *trial) wall() time.Duration {
	return 20*time.Second + time.Duration(20*t.Suite*float64(time.Second))
}

func quoted(words ...string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(out, " ")
}
