package rank

import (
	"context"
	"testing"

	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// Inputs are looked for of the first mutants, of each once; who has one comes before who has
// none, and those that come first in the end were all looked for.
func TestTheFirstMutantsAreThoseThatAnInputTells(t *testing.T) {
	_, folder := loadedAndWritten(t)
	by := func(look func(context.Context, []string) (inputs, calls map[string]bool, err error)) *report.Ranking {
		tables, err := OpenTables(folder)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Order(t.Context(), tables, Options{Model: released(t), Strategy: predict.Winnow, Seed: 1, Look: look})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	without := by(nil)
	hidden := map[string]bool{} // every second of those that would be the first
	for k, m := range without.Mutants[:lookedFirst] {
		hidden[m.ID] = k%2 == 0
	}
	asked := map[string]int{}
	with := by(func(_ context.Context, ids []string) (inputs, calls map[string]bool, err error) {
		found := map[string]bool{}
		for _, id := range ids {
			asked[id]++
			found[id] = !hidden[id]
		}
		return found, nil, nil
	})
	inFirst := func(r *report.Ranking) (n int) {
		for _, m := range r.Mutants[:predict.FirstScreen] {
			if hidden[m.ID] {
				n++
			}
		}
		return n
	}
	if before, after := inFirst(without), inFirst(with); after > before/2 {
		t.Errorf("of the first %d there are %d that no input tells, %d before inputs were looked for", predict.FirstScreen, after, before)
	}
	for id, n := range asked {
		if n != 1 {
			t.Errorf("an input of %s is looked for %d times", id, n)
		}
	}
	for k, m := range with.Mutants[:lookedFirst] {
		if asked[m.ID] == 0 && len(asked) < mostLooked {
			t.Errorf("nobody looked for an input of %s, at %d", m.ID, k)
		}
	}
}

// A mutant of a library that a call tells comes before one like it that none does, and who is told by none
// is not taken for one that no test kills.
func TestAMutantThatACallTellsComesBeforeItsLike(t *testing.T) {
	_, folder := loadedAndWritten(t)
	first := map[string]bool{}
	by := func(told bool) *report.Ranking {
		tables, err := OpenTables(folder)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Order(t.Context(), tables, Options{Model: released(t), Strategy: predict.Winnow, Seed: 1, Look: func(_ context.Context, ids []string) (inputs, calls map[string]bool, err error) {
			calls = map[string]bool{}
			for _, id := range ids {
				calls[id] = told || !first[id]
			}
			return nil, calls, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	all := by(true)
	for k, m := range all.Mutants[:predict.FirstScreen] {
		first[m.ID] = k%2 == 0
	}
	placed := func(r *report.Ranking) (sum int) {
		for k, m := range r.Mutants {
			if first[m.ID] {
				sum += k
			}
			if m.NotTold {
				t.Errorf("of %s it is said that no input tells it", m.ID)
			}
		}
		return sum
	}
	if before, after := placed(all), placed(by(false)); after <= before {
		t.Errorf("those that no call tells are at %d in all, at %d before", after, before)
	}
}

// Where no call tells the first mutants of a function nobody looks for calls of the others, which are
// worth less all the same.
func TestNobodyLooksForCallsWithoutHope(t *testing.T) {
	_, folder := loadedAndWritten(t)
	tables, err := OpenTables(folder)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	r, err := Order(t.Context(), tables, Options{Model: released(t), Strategy: predict.Winnow, Seed: 1, Look: func(_ context.Context, ids []string) (inputs, calls map[string]bool, err error) {
		asked += len(ids)
		calls = map[string]bool{}
		for _, id := range ids {
			calls[id] = false
		}
		return nil, calls, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]bool{}
	for _, m := range r.Mutants {
		functions[m.Function] = true
	}
	if most := lookedFirst + (hopeless+lookedAtOnce)*len(functions); asked > most || asked < lookedFirst {
		t.Errorf("calls of %d of %d mutants in %d functions are looked for", asked, len(r.Mutants), len(functions))
	}
}

// What nothing calls comes last, whatever is predicted of it, and says so; but for what tests reach.
func TestWhatNothingCallsComesLast(t *testing.T) {
	_, folder := loadedAndWritten(t)
	by := func(uncalled func(id string) bool) *report.Ranking {
		tables, err := OpenTables(folder)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Order(t.Context(), tables, Options{Model: released(t), Strategy: predict.Winnow, Seed: 1, Uncalled: uncalled})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	without := by(nil)
	dead := map[string]bool{}
	for k, m := range without.Mutants {
		dead[m.ID] = k%3 == 0
	}
	with := by(func(id string) bool { return dead[id] })
	if len(with.Mutants) != len(without.Mutants) {
		t.Fatalf("%d mutants are listed, of %d", len(with.Mutants), len(without.Mutants))
	}
	for k, m := range with.Mutants {
		if m.Uncalled != dead[m.ID] {
			t.Errorf("%s is said to be called: %v", m.ID, !m.Uncalled)
		}
		if m.Uncalled && k < len(with.Mutants)-(len(with.Mutants)+2)/3 {
			t.Errorf("%s, which nothing calls, is at %d of %d", m.ID, k+1, len(with.Mutants))
		}
	}
	if again := by(func(string) bool { return true }); again.Mutants[0].ID != without.Mutants[0].ID {
		t.Error("where nothing calls any the order is another")
	}
}
