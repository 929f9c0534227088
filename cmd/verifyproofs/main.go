// Command verifyproofs holds what winnow prove says of mutants against recorded runs of
// Codeflaws: no mutant that is called equivalent may be killed by any test, and duplicates
// are killed by the same tests. It prints a report in Markdown.
//
//	go run ./cmd/verifyproofs [-n 0 -search 250ms -against cvc5] HISTORY BENCHMARK
//	go run ./cmd/verifyproofs RUNS
//	go run ./cmd/verifyproofs -search 250ms -programs PROJECT...
//	go run ./cmd/verifyproofs -left-out RUN ALL
//
// HISTORY is what winnow import codeflaws wrote, BENCHMARK the benchmark's folder. RUNS is what
// winnow run wrote of any projects: of their survivors it says how many are decided. With -programs
// it says how many of the equivalent mutants of small projects are found. With -left-out, what the
// run RUN left out as equal is held to ALL, a run of the same project with --tce-passes none --matrix. The
// command is for developers and ships with no release. It exits with status 1 when a verdict
// is wrong.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/equiv/constraint"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/symbolic/assume"
)

func main() { developer.Main("verifyproofs", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("verifyproofs", flag.ContinueOnError)
	flags.SetOutput(errs)
	n := flags.Int("n", 0, "how many faults to look at, evenly spread over the history; 0 for all")
	search := flags.Duration("search", 0, "how long inputs are made and run that tell an open survivor from the original, a survivor; 0 for not at all")
	list := flags.Bool("list", false, "print every mutant that survives all tests and is open")
	conflicts := flags.Int("conflicts", 0, "conflicts that the embedded decider has for a question; 0 is what winnow prove allows")
	against := flags.String("against", "", "ask cvc5 or z3 each question as well, for a second each, and compare")
	programs := flags.Bool("programs", false, "print how many of the equivalent mutants of the projects that are given are found")
	bounded := flags.Duration("bounded", 10*time.Second, "how long bounded model checking may take for the mutants of a function; 0 is no bound")
	removed := flags.Bool("left-out", false, "hold what the first run left out to the second, which left nothing out")
	quick := flags.Bool("quick", false, "ask only the stages that every command asks, and no solver")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *removed && flags.NArg() == 2:
		return leftOut(flags.Arg(0), flags.Arg(1), out)
	case *removed:
		return fmt.Errorf("give two runs of one project, of which the second left nothing out")
	case *programs && *search > 0 && flags.NArg() > 0:
		tools, err := clang.Find()
		if err != nil {
			return err
		}
		return (&verifier{tools: tools, out: out, errs: errs, list: *list, each: *search, bounded: *bounded}).table(ctx, flags.Args())
	case *programs:
		return fmt.Errorf("give the folders of projects, and with -search how long inputs are made for what is open")
	case flags.NArg() == 1:
		return runs(flags.Arg(0), out)
	case flags.NArg() == 2:
	default:
		return fmt.Errorf("give the folder of a history, and of Codeflaws that of the benchmark")
	}
	history, err := dataset.OpenHistory(flags.Arg(0))
	if err != nil {
		return err
	}
	subjects, err := codeflaws.Subjects(flags.Arg(1))
	if err != nil {
		return err
	}
	known := map[string]*codeflaws.Subject{}
	for i := range subjects {
		known[subjects[i].ID] = &subjects[i]
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	v := verifier{tools: tools, out: out, errs: errs, list: *list, each: *search, quick: *quick, bounded: *bounded, open: map[string]int{}}
	v.options.Limits.Conflicts = *conflicts
	if *against != "" {
		v.versus = &versus{name: *against, each: time.Second}
		v.options.Last = v.versus.last
	}
	every := 1
	if *n > 0 {
		every = max(1, len(history.Runs) / *n)
	}
	for i := 0; i < len(history.Runs); i += every {
		r := &history.Runs[i]
		if subject := known[r.Manifest.Program]; subject != nil && (*n == 0 || v.programs < *n) {
			if err := v.program(ctx, r, subject); err != nil {
				return fmt.Errorf("%s: %w", r.Manifest.Program, err)
			}
		}
	}
	v.write()
	v.first.write(out)
	if v.versus != nil {
		if err := v.versus.write(out); err != nil {
			return err
		}
	}
	if v.wrong > 0 {
		return fmt.Errorf("%d verdicts are wrong", v.wrong)
	}
	return nil
}

// verifier counts.
type verifier struct {
	options                      smt.Options
	versus                       *versus // nil where nobody else is asked
	first                        first
	tools                        *clang.Toolchain
	out, errs                    io.Writer
	programs, mutants, survivors int
	// Of the mutants that were run: those called equivalent or duplicates, the pairs of such
	// a mutant and a test that were compared, and the survivors among them.
	equivalent, duplicate, pairs, wrong int
	survivingEquivalent                 int
	survivingDuplicate, different       int
	busy                                time.Duration
	// open counts the survivors of which nothing is known, by the reason.
	open        map[string]int
	list, quick bool
	// bounded is how long bounded model checking may take for a function.
	bounded time.Duration
	// each is how long a survivor is searched for an input; told counts those that one was
	// found for, and searched is the
	// time that it took.
	each     time.Duration
	told     int
	searched time.Duration
}

func (v *verifier) program(ctx context.Context, r *dataset.Run, subject *codeflaws.Subject) error {
	s, err := r.Load("kills.parquet")
	if err != nil {
		return err
	}
	work, err := scratch.New("proofs")
	if err != nil {
		return err
	}
	defer work.Remove()
	c, err := importer.CaseOf(subject, work.Path)
	if err != nil {
		return err
	}
	p, err := program.Load(ctx, v.tools, c.Inputs,
		program.LoadOptions{Mutation: program.Mutation{Further: v.stages(nil), KeepUndefined: true}})
	if err != nil {
		return err
	}
	v.programs++
	v.busy += p.Stages[len(p.Stages)-1].Busy
	open := v.compare(r.Manifest.Program, p, s)
	if err := v.first.add(ctx, r, s, provedOf(p)); err != nil {
		return err
	}
	if v.each > 0 && len(open) > 0 {
		if open, err = v.search(ctx, c, open); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(open)) {
		one := open[id]
		v.leaveOpen(r.Manifest.Program, &one)
	}
	fmt.Fprintf(v.errs, "%s: %d mutants so far, %d survivors, %d of them equivalent, %d told apart, %d pairs, %d wrong\n",
		r.Manifest.Program, v.mutants, v.survivors, v.survivingEquivalent, v.told, v.pairs, v.wrong)
	return nil
}

// stages are asked about what the stages of every command leave open.
func (v *verifier) stages(assumed []assume.Assumption) []equiv.Stage {
	if v.quick {
		return nil
	}
	options := v.options
	options.Assumed = assumed
	out := []equiv.Stage{smt.Stage(options), bmc.Stage(bmc.Options{Time: v.bounded, Assumed: assumed})}
	if len(assumed) > 0 {
		out = append([]equiv.Stage{constraint.Stage(0, assumed)}, out...)
	}
	return out
}

// provedOf are the mutants that no test can kill, or that others stand for, by id.
func provedOf(p *program.Program) map[string]bool {
	out := map[string]bool{}
	for _, one := range p.Proofs() {
		if one.Verdict == equiv.Equivalent || one.Verdict == equiv.Duplicate {
			out[one.Mutant.ID] = true
		}
	}
	return out
}

// search makes inputs for the survivors that are open, and returns those that none tells.
func (v *verifier) search(ctx context.Context, c *project.Case, open map[string]program.Proof) (map[string]program.Proof, error) {
	builder, remove, err := build.Temporary(ctx, v.tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	start := time.Now()
	made, err := campaign.Prepare(ctx, builder, *c, campaign.RecordOptions{Seed: 1, Mutation: program.Mutation{KeepUndefined: true},
		Choose: func(context.Context, *program.Program, func() (map[string]int, error)) ([]string, error) {
			return slices.Sorted(maps.Keys(open)), nil
		}})
	if err != nil {
		return nil, err
	}
	defer made.Close()
	wanted := map[string]bool{}
	for id := range open {
		wanted[id] = true
	}
	settled, err := made.Settle(ctx, wanted, campaign.Settling{Until: time.Now().Add(time.Duration(len(open)) * v.each)})
	if err != nil {
		return nil, err
	}
	for _, one := range settled.Tests {
		for _, id := range one.Kills {
			v.told++
			delete(open, id)
		}
	}
	v.searched += time.Since(start)
	return open, nil
}

// compare looks at the mutants that were run when the history was recorded, and returns the
// survivors that are open, by id.
func (v *verifier) compare(name string, p *program.Program, s *dataset.Subject) map[string]program.Proof {
	open := map[string]program.Proof{}
	row := map[string]int{}
	for i, id := range s.Kills.Mutants() {
		row[id] = i
	}
	killed := func(i, test int) bool { return s.Kills.Killed(i).Get(test) }
	known := func(i, test int) bool { return !s.Kills.Unknown(i).Get(test) }
	for _, one := range p.Proofs() {
		i, ok := row[one.Mutant.ID]
		if !ok {
			continue
		}
		v.mutants++
		survives := s.Kills.Killed(i).Count() == 0
		if survives {
			v.survivors++
		}
		k, other := row[one.Of]
		switch {
		case one.Verdict == equiv.Equivalent:
			v.equivalent++
			if survives {
				v.survivingEquivalent++
			}
		case one.Verdict == equiv.Duplicate && other:
			v.duplicate++
			if survives {
				v.survivingDuplicate++
			}
		case one.Verdict == equiv.Different && survives:
			v.different++
			continue
		default:
			if survives {
				open[one.Mutant.ID] = one
			}
			continue
		}
		for test := range s.Kills.Tests() {
			if !known(i, test) || other && !known(k, test) {
				continue
			}
			v.pairs++
			if killed(i, test) != (other && killed(k, test)) {
				v.wrong++
				fmt.Fprintf(v.out, "wrong: %s: mutant %s (%s:%d, %s → %s) is called %v %s (%s), and test %s tells\n", name, one.Mutant.ID,
					one.Mutant.Function, one.Mutant.Line, one.Mutant.Original, one.Mutant.Replacement, one.Verdict, one.Of, one.Evidence, s.Kills.Tests()[test])
				break
			}
		}
	}
	return open
}

// leaveOpen notes a survivor that is not decided.
func (v *verifier) leaveOpen(name string, p *program.Proof) {
	reason := p.Reason
	if strings.HasPrefix(reason, "it differs in ") { // the state is another for each
		reason = "it differs in some state that its program may never come to"
	}
	v.open[reason]++
	if v.list {
		m := &p.Mutant
		fmt.Fprintf(v.out, "open: %s: %s:%d, %s → %s: %s (%s)\n", name, m.Function, m.Line, m.Original, m.Replacement, p.Reason, m.ID)
	}
}

func (v *verifier) write() {
	share := func(n, of int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(of, 1))) }
	fmt.Fprintf(v.out, "| | |\n|---|--:|\n| programs | %d |\n| mutants that were run | %d |\n| of these, that survive all tests | %s |\n", v.programs, v.mutants, share(v.survivors, v.mutants))
	fmt.Fprintf(v.out, "| survivors that are called equivalent | %s |\n| survivors that are called duplicates of others that were run | %s |\n| survivors that a call of their function tells apart | %s |\n| survivors that an input tells apart that was made | %s |\n",
		share(v.survivingEquivalent, v.survivors), share(v.survivingDuplicate, v.survivors), share(v.different, v.survivors), share(v.told, v.survivors))
	fmt.Fprintf(v.out, "| mutants called equivalent, duplicate | %d, %d |\n| pairs of such a mutant and a test | %d |\n| verdicts that a test contradicts | %d |\n| time of the stage, a mutant | %.1f ms |\n| time of the search for inputs, a survivor | %.2f s |\n",
		v.equivalent, v.duplicate, v.pairs, v.wrong, 1000*v.busy.Seconds()/float64(max(v.mutants, 1)), v.searched.Seconds()/float64(max(v.survivors, 1)))
	fmt.Fprintf(v.out, "\n| survivors that stay open, for which reason | |\n|---|--:|\n")
	reasons := slices.SortedFunc(maps.Keys(v.open), func(a, b string) int { return cmp.Or(cmp.Compare(v.open[b], v.open[a]), cmp.Compare(a, b)) })
	for _, reason := range reasons {
		fmt.Fprintf(v.out, "| %s | %s |\n", reason, share(v.open[reason], v.survivors))
	}
}
