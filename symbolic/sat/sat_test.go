package sat_test

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/symbolic/sat"
)

// holds tries all assignments.
func holds(variables int, clauses [][]sat.Lit, assumed []sat.Lit) bool {
	for x := range 1 << variables {
		is := func(l sat.Lit) bool { return (x>>l.Var()&1 == 1) != (l&1 == 1) }
		all := true
		for _, l := range assumed {
			all = all && is(l)
		}
		for _, c := range clauses {
			some := false
			for _, l := range c {
				some = some || is(l)
			}
			all = all && some
		}
		if all {
			return true
		}
	}
	return false
}

func TestAnswersAgreeWithAllAssignments(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	counts := map[sat.Answer]int{}
	for range 400 {
		n := 4 + rng.IntN(9)
		var s sat.Solver
		for range n {
			s.Variable()
		}
		draw := func() sat.Lit { return sat.Lit(rng.IntN(2 * n)) }
		var clauses [][]sat.Lit
		for range 4 { // incrementally
			for range n {
				c := []sat.Lit{draw(), draw(), draw()}
				clauses = append(clauses, c)
				s.Add(c...)
			}
			assumed := []sat.Lit{draw(), draw()}
			got := s.Solve(1_000_000, assumed...)
			want := sat.Unsat
			if holds(n, clauses, assumed) {
				want = sat.Sat
			}
			if got != want {
				t.Fatalf("%d clauses of %d variables with %v: %v, want %v", len(clauses), n, assumed, got, want)
			}
			counts[got]++
			if got != sat.Sat {
				continue
			}
			for _, c := range append(clauses, []sat.Lit{assumed[0]}, []sat.Lit{assumed[1]}) {
				some := false
				for _, l := range c {
					some = some || s.True(l)
				}
				if !some {
					t.Fatalf("the model breaks %v", c)
				}
			}
		}
	}
	if counts[sat.Sat] < 100 || counts[sat.Unsat] < 100 {
		t.Errorf("the questions were one-sided: %v", counts)
	}
}

// pigeons says that n+1 pigeons sit in n holes, one each: it needs many conflicts.
func pigeons(n int) *sat.Solver {
	var s sat.Solver
	at := make([][]sat.Lit, n+1)
	for p := range at {
		for range n {
			at[p] = append(at[p], s.Variable())
		}
		s.Add(at[p]...)
	}
	for h := range n {
		for p := range at {
			for q := range p {
				s.Add(at[p][h].Not(), at[q][h].Not())
			}
		}
	}
	return &s
}

func TestALimitMakesAnswersUnknownAndNeverWrong(t *testing.T) {
	if got := pigeons(7).Solve(20); got != sat.Unknown {
		t.Errorf("with 20 conflicts: %v", got)
	}
	s := pigeons(7)
	for limit := 50; ; limit *= 2 {
		got := s.Solve(limit)
		if got == sat.Sat {
			t.Fatal("8 pigeons sit in 7 holes")
		}
		if got == sat.Unsat {
			return
		}
	}
}

func TestAQuestionIsGivenUpWhereItsTimeIsUp(t *testing.T) {
	s := pigeons(9)
	asked := 0
	s.Stop = func() bool { asked++; return asked > 3 }
	if got := s.Solve(1 << 40); got != sat.Unknown || asked != 5 { // the fourth ends the search, and the fifth the question
		t.Errorf("%v after %d conflicts, asked %d times", got, s.Conflicts, asked)
	}
	s.Stop = nil
	if got := s.Solve(200); got == sat.Sat {
		t.Error("10 pigeons sit in 9 holes")
	}
}
