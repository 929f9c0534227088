package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// evidence builds mutants m1, m2, ... from what each test says of them: 1
// killed, 0 survived, ? unknown. reveals has a digit for each test.
func evidence(reveals string, mutants ...string) *Evidence {
	e := &Evidence{Reveals: members(reveals, '1')}
	for i := range reveals {
		e.Tests = append(e.Tests, fmt.Sprint("t", i+1))
	}
	for i, text := range mutants {
		e.Mutants = append(e.Mutants, fmt.Sprint("m", i+1))
		e.Killed = append(e.Killed, members(text, '1'))
		e.Unknown = append(e.Unknown, members(text, '?'))
	}
	return e
}

func members(text string, member byte) matrix.Bits {
	b := matrix.NewBits(len(text))
	for i := range len(text) {
		if text[i] == member {
			b.Set(i)
		}
	}
	return b
}

func targets(values []Value) string {
	var out []string
	for _, v := range values {
		out = append(out, fmt.Sprint(v.Target))
	}
	return strings.Join(out, " ")
}

func TestLabelsOfTheWorkedExample(t *testing.T) {
	// T = {t1..t4}, R = {t1}; K: m1 {t1}, m2 {t1, t2}, m3 {t1}, m4 {t3}, m5 {}.
	e := evidence("1000", "1000", "1100", "1000", "0010", "0000")
	for name, want := range map[string]string{
		"killable":                 "1 1 1 1 0",
		"fault-revealing":          "1 0 1 0 0",
		"fault-revealing-weighted": "1 0 1 0 0",
		"ratio":                    "1 0.5 1 0 NaN", // not killed: not defined
		"subsuming":                "1 0 1 1 0",
		"hard-to-kill":             "0 0 0 0 0", // one of four is more than 5 %
		"late-killable":            "1 1 1 1 0",
		"latent":                   "NaN NaN NaN NaN NaN", // there is no earlier version
		"revelation":               "1 0.5 1 0 0",
	} {
		l, err := LookupLabel(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := targets(l.Run(e)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestWeightsAreFaRMs(t *testing.T) {
	e := evidence("1110", "1100", "0011", "1001", "0001", "0000", "1111")
	want := []Value{{1, 1}, {0, 0.5}, {0, 0.5}, {0, 0.99}, {0, 1}, {0, 0.25}}
	if got := faultRevealingWeighted.Run(e); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, v := range faultRevealing.Run(e) {
		if v.Weight != 1 {
			t.Errorf("without FaRM's weights a weight is %v", v.Weight)
		}
	}
}

// Of t2, t3, t4, which do not reveal, m1 (t2 or t3) and m2 (t3) pick t2 with 1/4
// and t3 with 3/4: a mutant killed by t2 alone outlives three picks with (3/4)^3.
func TestWhatOutlivesTheFirstTestsWeighsMore(t *testing.T) {
	e := evidence("1000", "0110", "0010", "0000", "1000")
	want := []float64{1e-3, 1.0 / 64, 1, 1}
	for m, v := range lateKillable.Run(e) {
		if math.Abs(v.Weight-want[m]) > 1e-12 {
			t.Errorf("m%d weighs %v, want %v", m+1, v.Weight, want[m])
		}
	}
}

func TestOneKillInTwentyTestsIsHardAndTwoAreNot(t *testing.T) {
	zeros := strings.Repeat("0", 20)
	e := evidence(zeros, "1"+zeros[1:], "11"+zeros[2:], zeros)
	if got := targets(hardToKill.Run(e)); got != "1 0 0" {
		t.Errorf("%s, want 1 0 0", got)
	}
	nineteen := evidence(zeros[1:], "1"+zeros[2:])
	if got := targets(hardToKill.Run(nineteen)); got != "0" {
		t.Errorf("one of nineteen: %s, want 0", got)
	}
}

// completions calls visit with every way to settle the open cells.
func completions(e *Evidence, visit func(*Evidence)) {
	for m := range e.Mutants {
		for test := range e.Unknown[m].All() {
			for _, killed := range []bool{false, true} {
				next := *e
				next.Killed, next.Unknown = slices.Clone(e.Killed), slices.Clone(e.Unknown)
				next.Unknown[m] = e.Unknown[m].Clone()
				next.Unknown[m].Clear(test)
				if killed {
					next.Killed[m] = e.Killed[m].Clone()
					next.Killed[m].Set(test)
				}
				completions(&next, visit)
			}
			return
		}
	}
	visit(e)
}

func TestALabelIsSettledExactlyWhenNoOpenCellCanChangeIt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		tests := 1 + r.IntN(4)
		draw := func(alphabet string) string {
			text := make([]byte, tests)
			for i := range text {
				text[i] = alphabet[r.IntN(len(alphabet))]
			}
			return string(text)
		}
		var mutants []string
		for range 1 + r.IntN(4) {
			mutants = append(mutants, draw([]string{"01", "001", "011?", "01"}[r.IntN(4)]))
		}
		e := evidence(draw("01"), mutants...)
		for _, l := range Labels() {
			var possible [][]float64
			completions(e, func(full *Evidence) {
				for i, v := range l.Run(full) {
					if len(possible) <= i {
						possible = append(possible, nil)
					}
					possible[i] = append(possible[i], v.Target)
				}
			})
			for i, v := range l.Run(e) {
				checkSettled(t, l.Name, fmt.Sprint(e.Reveals, mutants, " m", i+1), v.Target, possible[i], e.Unknown[i].Empty())
			}
		}
	}
}

func checkSettled(t *testing.T, label, where string, got float64, possible []float64, closed bool) {
	t.Helper()
	same := true
	for _, p := range possible {
		same = same && (p == possible[0] || math.IsNaN(p) && math.IsNaN(possible[0]))
	}
	switch {
	case !math.IsNaN(got) && (!same || got != possible[0]):
		t.Fatalf("%s of %s is %v, but could be any of %v", label, where, got, possible)
	case math.IsNaN(got) && same && !math.IsNaN(possible[0]) && (closed || label != "subsuming" && label != "ratio" && label != "revelation"):
		t.Fatalf("%s of %s is not settled, but can only be %v", label, where, possible[0])
	}
}

func TestLabelsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Labels() {
		if l.Name == "" || l.Doc == "" || len(l.Requires) == 0 || l.Run == nil || seen[l.Name] {
			t.Errorf("label %+v lacks a part or repeats a name", l)
		}
		seen[l.Name] = true
		if got := l.Run(&Evidence{}); len(got) != 0 {
			t.Errorf("%s of no mutants: %v", l.Name, got)
		}
	}
	if _, err := LookupLabel("nonsense"); err == nil || !strings.Contains(err.Error(), "killable") {
		t.Errorf("an unknown label should name those there are: %v", err)
	}
}

func TestWithoutAFixedVersionNothingRevealsTheFault(t *testing.T) {
	e := evidence("10", "10", "01")
	e.Reveals = matrix.Bits{}
	for _, l := range []Label{faultRevealing, faultRevealingWeighted, ratio} {
		if got := targets(l.Run(e)); got != "NaN NaN" {
			t.Errorf("%s: %s, want nothing known", l.Name, got)
		}
	}
}

func TestThePoolIsTheTestsWhoseVerdictOnTheFaultIsKnown(t *testing.T) {
	kills, err := kill.New([]string{"m"}, []string{"flaky", "good", "revealing", "unlisted"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if err := kills.Set(0, i, kill.Cell{Verdict: matrix.Killed, Cause: matrix.Output}); err != nil {
			t.Fatal(err)
		}
	}
	s := &Subject{Kills: kills, Faults: fault.Table{
		{Test: "revealing", Verdict: matrix.Killed},
		{Test: "flaky", Verdict: matrix.Unknown},
		{Test: "good", Verdict: matrix.Survived},
	}}
	e, err := NewEvidence(s)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(e.Tests, e.Killed[0], e.Reveals) != "[good revealing] 11 01" {
		t.Errorf("pool %v, killed %v, reveals %v", e.Tests, e.Killed[0], e.Reveals)
	}
	s.Faults = s.Faults[1:2]
	if _, err := NewEvidence(s); err == nil {
		t.Error("no test is usable, and no error")
	}
	s.Faults = nil
	if e, err = NewEvidence(s); err != nil || len(e.Tests) != 4 {
		t.Errorf("without a fault every test counts: %v, %v", e, err)
	}
	if _, err := NewEvidence(&Subject{}); err == nil {
		t.Error("no kills, and no error")
	}
}

// A mutant that C leaves undefined in some states may have been killed by what lay in memory; what
// is done through null ends every build, and what overflows wraps in every one.
func TestAKillThatMayRestOnUndefinedBehaviourSettlesNothing(t *testing.T) {
	s := &Subject{}
	var err error
	if s.Kills, err = kill.New([]string{"m1", "m2", "m3", "m4"}, []string{"t1", "t2"}); err != nil {
		t.Fatal(err)
	}
	for m := range 4 {
		for test := range 2 {
			cell := kill.Cell{Verdict: matrix.Survived}
			if m < 3 && test == 0 {
				cell = kill.Cell{Verdict: matrix.Killed, Cause: matrix.Output}
			}
			if err := s.Kills.Set(m, test, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	if s.Proofs, err = ProofTable([]Proof{
		{ID: "m2", Verdict: Undefined, Evidence: "ub/access out of bounds", Reason: "access out of bounds: line 3 may use memory outside of t"},
		{ID: "m3", Verdict: Undefined, Evidence: "ub/null dereference", Reason: "null dereference: where p is null, line 3 uses it"},
		{ID: "m1", Verdict: Undefined, Evidence: "ub/signed overflow", Reason: "signed overflow: line 3 i + 1 may overflow"},
	}); err != nil {
		t.Fatal(err)
	}
	e, err := NewEvidence(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := targets(killable.Run(e)); got != "1 NaN 1 0" {
		t.Errorf("killable is %s", got)
	}
	if !s.Kills.Killed(1).Get(0) {
		t.Error("the run's own table was changed")
	}
}
