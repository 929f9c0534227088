package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/project"
)

// A long run is cut into parts: ranges of mutants, on all tests. Each finished
// part is a file in a folder of the run folder, so that a run that was killed, or
// whose time was up, goes on behind the last one. How mutants are cut into parts
// changes no verdict.

// ProgressFolder holds the finished parts of a run that is not complete.
const ProgressFolder = "unfinished"

// keyFile names what a run is of; parts of another run are of no use.
const keyFile = "run.json"

const (
	partSeconds = 2 // what a part is to take, as far as can be foreseen
	leastPart   = 16
	mostPart    = 4096
)

// partFile is the result of the mutants From to To-1, by their places.
type partFile struct {
	From   int             `json:"from"`
	To     int             `json:"to"`
	Result *execute.Result `json:"result"`
}

// span is the mutants from one place to before another.
type span struct{ from, to int }

// parts are what is finished of a run.
type parts struct {
	folder string // "": nothing is kept
	done   map[int]partFile
}

// openParts reads the finished parts of the run with a key. Those of a run with
// another key are removed.
func openParts(folder, key string) (*parts, error) {
	p := &parts{folder: folder, done: map[int]partFile{}}
	if folder == "" {
		return p, nil
	}
	before, err := os.ReadFile(filepath.Join(folder, keyFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, exit.New(exit.System, err, "")
	}
	if string(before) != key {
		if err := os.RemoveAll(folder); err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		return p, atomicfile.Write(filepath.Join(folder, keyFile), []byte(key))
	}
	files, err := filepath.Glob(filepath.Join(folder, "part-*.json"))
	if err != nil {
		return nil, fmt.Errorf("listing finished parts: %w", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		var part partFile
		if err := json.Unmarshal(text, &part); err != nil || part.Result == nil || len(part.Result.Mutants) != part.To-part.From {
			return nil, exit.New(exit.Input, fmt.Errorf("%s is damaged", file), "remove it, and its mutants are run again")
		}
		p.done[part.From] = part
	}
	return p, nil
}

func (p *parts) add(part partFile) error {
	p.done[part.From] = part
	if p.folder == "" {
		return nil
	}
	text, err := json.Marshal(part)
	if err != nil {
		return fmt.Errorf("writing a finished part: %w", err)
	}
	return atomicfile.Write(filepath.Join(p.folder, fmt.Sprintf("part-%09d.json", part.From)), text)
}

// Shard is one of several runs that share the mutants of a program: the mutants
// whose places, divided by Of, leave Number-1. The zero value is all mutants.
type Shard struct{ Number, Of int }

// ParseShard reads "k/n"; "" is all mutants.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	number, of, ok := strings.Cut(text, "/")
	k, err1 := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	if !ok || err1 != nil || err2 != nil || k < 1 || k > n {
		return Shard{}, exit.Usagef("--shard %s: want K/N with K from 1 to N, e.g. 2/4", text)
	}
	return Shard{k, n}, nil
}

func (s Shard) String() string {
	if s.Of <= 1 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// has says whether the mutant at a place is the shard's.
func (s Shard) has(place int) bool { return s.Of <= 1 || place%s.Of == s.Number-1 }

// killInParts runs mutants part by part, until all are run or the time is up. Of
// mutants that were not run the result says so. running is the part in hand.
func (r *recorder) killInParts(ctx context.Context, engine *execute.Engine, base *execute.Baseline, probe *execute.ProbeResult, list []execute.Mutant, running *span) (*execute.Result, error) {
	key, err := r.runKey(base, list)
	if err != nil {
		return nil, err
	}
	store, err := openParts(r.opts.Progress, key)
	if err != nil {
		return nil, err
	}
	size := r.partSize(base)
	result := &execute.Result{Sandbox: engine.Sandbox()}
	for from := 0; from < len(list); {
		part, done := store.done[from]
		if !done {
			part = partFile{From: from, To: min(from+size, nextDone(store, from, len(list)))}
			*running = span{part.From, part.To}
			part.Result, err = r.killPart(ctx, engine, base, list[part.From:part.To])
			if err != nil {
				return nil, err
			}
			if part.Result == nil {
				part.Result = notRun(list[from:part.To], base, probe)
				r.summary.NotRun += part.To - from
			} else if err := store.add(part); err != nil {
				return nil, err
			}
		}
		appendResult(result, part.Result)
		from = part.To
	}
	return result, nil
}

// nextDone is where the next finished part begins, or the end.
func nextDone(store *parts, from, end int) int {
	for _, at := range slices.Sorted(maps.Keys(store.done)) {
		if at > from {
			return at
		}
	}
	return end
}

// killPart runs mutants; it returns nil when the time is up before they are.
func (r *recorder) killPart(ctx context.Context, engine *execute.Engine, base *execute.Baseline, list []execute.Mutant) (*execute.Result, error) {
	if r.opts.Until.IsZero() {
		return engine.Kill(ctx, base, list)
	}
	if !time.Now().Before(r.opts.Until) {
		return nil, nil
	}
	limited, cancel := context.WithDeadline(ctx, r.opts.Until)
	defer cancel()
	result, err := engine.Kill(limited, base, list)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, nil
	}
	return result, err
}

// partSize is how many mutants take about partSeconds.
func (r *recorder) partSize(base *execute.Baseline) int {
	if r.opts.part > 0 {
		return r.opts.part
	}
	each := time.Duration(0)
	for _, t := range base.Tests {
		each += t.Wall
	}
	return min(max(int(partSeconds*time.Second/max(each, time.Microsecond)), leastPart), mostPart)
}

// runKey identifies all that a part's verdicts depend on.
func (r *recorder) runKey(base *execute.Baseline, list []execute.Mutant) (string, error) {
	manifest, err := r.manifest(len(list))
	if err != nil {
		return "", err
	}
	type behaviour struct {
		Test   string
		Aside  string
		Length uint64
		Hash   uint64
		Work   int64
		Cause  string
		Status int
	}
	key := struct {
		Tool            string
		Inputs, Options map[string]string
		Shard           string
		NoProbe         bool
		Mutants         string
		Tests           []behaviour
	}{Tool: manifest.Tool, Inputs: manifest.Inputs, Options: manifest.Options, Shard: r.opts.Shard.String(), NoProbe: r.opts.NoProbe}
	hash := sha256.New()
	for _, m := range r.mutants {
		_, _ = fmt.Fprintln(hash, m.ID, m.Selector) // a hash takes everything
	}
	key.Mutants = hex.EncodeToString(hash.Sum(nil))
	for i, t := range base.Tests {
		sum, err := project.Content(r.c.Tests[i])
		if err != nil {
			return "", err
		}
		key.Tests = append(key.Tests, behaviour{r.c.Tests[i].Name + " " + hex.EncodeToString(sum[:]), t.SetAside, t.OutputLength, t.OutputHash, t.Work, t.Cause.String(), t.Status})
	}
	text, err := json.MarshalIndent(key, "", " ")
	return string(text), err
}

// appendResult puts the result of the next mutants behind that of those before.
func appendResult(to, part *execute.Result) {
	offset := len(to.Mutants)
	to.Mutants = append(to.Mutants, part.Mutants...)
	to.Killed = append(to.Killed, part.Killed...)
	to.Unknown = append(to.Unknown, part.Unknown...)
	to.Reached = append(to.Reached, part.Reached...)
	to.Infected = append(to.Infected, part.Infected...)
	for _, c := range part.Cells {
		c.Mutant += int32(offset)
		to.Cells = append(to.Cells, c)
	}
	for _, f := range part.Failures {
		f.Mutant += offset
		to.Failures = append(to.Failures, f)
	}
	moved := func(list []execute.Disagreement) (out []execute.Disagreement) {
		for _, d := range list {
			d.Mutant += offset
			out = append(out, d)
		}
		return out
	}
	to.Audit.Checked += part.Audit.Checked
	to.Audit.Uninfected += part.Audit.Uninfected
	to.Audit.Disagreements = append(to.Audit.Disagreements, moved(part.Audit.Disagreements)...)
	to.Audit.Missed = append(to.Audit.Missed, moved(part.Audit.Missed)...)
	to.Runs += part.Runs
	to.HandedOn += part.HandedOn
}

// notRun is the result of mutants that there was no time for: unknown on the
// tests that they need a run on.
func notRun(list []execute.Mutant, base *execute.Baseline, probe *execute.ProbeResult) *execute.Result {
	out := &execute.Result{Mutants: list}
	for m, mutant := range list {
		var sets [4]execute.Bits
		for i := range sets {
			sets[i] = execute.NewBits(len(base.Tests))
		}
		killed, unknown, reached, infected := sets[0], sets[1], sets[2], sets[3]
		for t := range base.Tests {
			switch b := &base.Tests[t]; {
			case b.SetAside != "":
				unknown.Set(t)
			case b.Reached.Has(mutant.Site):
				reached.Set(t)
				if probe == nil || probe.Tests[t].Infects(mutant) {
					infected.Set(t)
					unknown.Set(t)
					out.Cells = append(out.Cells, execute.Cell{Mutant: int32(m), Test: int32(t), Verdict: execute.Unknown, Cause: execute.CauseStopped, Work: -1})
				}
			}
		}
		out.Killed, out.Unknown = append(out.Killed, killed), append(out.Unknown, unknown)
		out.Reached, out.Infected = append(out.Reached, reached), append(out.Infected, infected)
	}
	return out
}
