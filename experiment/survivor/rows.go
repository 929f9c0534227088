package survivor

import (
	"math"

	"github.com/winnow-mutants/winnow/predict"
)

// Columns are the names of what a model reads of a survivor, in their order. There are no counts among them, and shares of
// the mutants of a statement, say, are told apart from those of its function: so a model carries over to programs whose
// suites are larger or kill more (docs/results/first-twenty.md). Shares of what died are of mutants that some test of the
// suite infects, drawn to those of what is around them where there are few: of a statement to those of its function, of a
// function to those of the program.
func Columns() []string {
	return []string{
		"killable",      // log-odds of p(killable)
		"reaching",      // share of the tests that come to the mutant
		"infecting",     // share of these that make it compute something else
		"silent",        // logarithm of the chance that the infecting tests let a mutant live, by what each kills of those it infects in the function
		"program_died",  // share of the program's infected mutants that died
		"function_died", // of the function's
		"statement",     // how much more of its statement's than of its function's died
		"alike",         // of those that drawn inputs show alike, than of the function's
		"infected_with", // of those that just the same tests infect, than of the function's
		"change",        // of the same change anywhere in the program, than of the program's
		"visited",       // share of the function's mutants that some test comes to
	}
}

// share is how many of some mutants died.
type share struct{ of, died float64 }

func (s *share) add(died bool) {
	if s.of++; died {
		s.died++
	}
}

// near is the share, drawn to another by so many mutants' weight.
func (s *share) near(other, weight float64) float64 {
	if s == nil {
		return other
	}
	return (s.died + other*weight) / (s.of + weight)
}

// shares counts by key.
type shares[K comparable] map[K]*share

func (s shares[K]) at(k K) *share {
	if s[k] == nil {
		s[k] = &share{}
	}
	return s[k]
}

type function struct{ file, name string }

type statement struct {
	file   string
	number int
}

type change struct{ matcher, replacer string }

// trial names mutants that show the same on the drawn inputs.
type trial struct {
	of          function
	entry, kind uint64
}

func trialOf(s *predict.Score) (trial, bool) {
	t, ofProgram := s.Told()
	k := trial{entry: t.Entry, kind: t.Kind}
	if !ofProgram {
		k.of = function{s.File, s.Function}
	}
	return k, t.Kind != 0
}

// around is what became of the mutants of a program, a mutant that a test kills counting for the tests before that alone:
// where mutants are left out when the first test has killed them, nothing else is known.
type around struct {
	program    share
	functions  shares[function]
	statements shares[statement]
	changes    shares[change]
	trials     shares[trial]
	infected   shares[string] // by the infecting tests
	// tests are those that infect mutants, and the mutants that each kills of them, in all and by function.
	tests         []share
	testsIn       map[function][]share
	reached, made map[function]float64
}

// usual is what died where nothing is known.
const usual = .6

// Rows are the columns of the mutants that the suite lets live, as far as all its tests are known, and that have a p(killable);
// their places are returned, too.
func Rows(scores []predict.Score, suite *Suite) (places []int, rows [][]float64) {
	a := &around{functions: shares[function]{}, statements: shares[statement]{}, changes: shares[change]{}, trials: shares[trial]{},
		infected: shares[string]{}, tests: make([]share, suite.Kills[0].Len()), testsIn: map[function][]share{}, reached: map[function]float64{}, made: map[function]float64{}}
	for i := range scores {
		a.add(&scores[i], suite, i)
	}
	for i := range scores {
		if suite.Kills[i].Empty() && suite.known(i) && !math.IsNaN(scores[i].Kill) {
			places, rows = append(places, i), append(rows, a.row(&scores[i], suite, i))
		}
	}
	return places, rows
}

func (a *around) add(s *predict.Score, suite *Suite, i int) {
	f := function{s.File, s.Function}
	if a.testsIn[f] == nil {
		a.testsIn[f] = make([]share, len(a.tests))
	}
	if a.made[f]++; !suite.Reached[i].Empty() {
		a.reached[f]++
	}
	died := !suite.Kills[i].Empty()
	for t := range suite.Infected[i].All() {
		if suite.Unknown != nil && suite.Unknown[i].Get(t) {
			continue
		}
		kills := suite.Kills[i].Get(t)
		a.tests[t].add(kills)
		a.testsIn[f][t].add(kills)
		if kills {
			break
		}
	}
	if suite.Infected[i].Empty() || !died && !suite.known(i) {
		return
	}
	a.program.add(died)
	a.functions.at(f).add(died)
	a.statements.at(statement{s.File, s.Statement}).add(died)
	a.changes.at(change{s.Matcher, s.Replacer}).add(died)
	a.infected.at(suite.Infected[i].Key()).add(died)
	if k, some := trialOf(s); some {
		a.trials.at(k).add(died)
	}
}

func (a *around) row(s *predict.Score, suite *Suite, i int) []float64 {
	f := function{s.File, s.Function}
	program := a.program.near(usual, 2)
	inFunction := a.functions[f].near(program, 2)
	silent := 0.0
	for t := range suite.Infected[i].All() {
		inAll := a.tests[t].near(program, 2)
		silent += math.Log1p(-min(a.testsIn[f][t].near(inAll, 2), .999))
	}
	alike, with := inFunction, inFunction
	if k, some := trialOf(s); some {
		alike = a.trials[k].near(inFunction, 1)
	}
	if !suite.Infected[i].Empty() {
		with = a.infected[suite.Infected[i].Key()].near(inFunction, 2)
	}
	p := min(max(s.Kill, .001), .999)
	reaching, infecting := float64(suite.Reached[i].Count()), float64(suite.Infected[i].Count())
	return []float64{
		math.Log(p / (1 - p)), reaching / max(1, float64(len(a.tests))), infecting / max(1, reaching), silent,
		program, inFunction, a.statements[statement{s.File, s.Statement}].near(inFunction, 1) - inFunction, alike - inFunction, with - inFunction,
		a.changes[change{s.Matcher, s.Replacer}].near(program, 4) - program, a.reached[f] / a.made[f],
	}
}
