package predict

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// shown is a mutant of a statement that some of eight inputs show.
func shown(id string, statement int, inputs uint64) Score {
	nan := math.NaN()
	return Score{ID: id, Statement: statement, Function: "f", File: "a.c", Fault: nan, Kill: nan, Program: Trial{Tried: 255, Shown: inputs, Reached: 8}}
}

func inOrder(scores []Score, order []int) (out []string) {
	for _, i := range order {
		out = append(out, scores[i].ID)
	}
	return out
}

// Mutants that the same inputs show fall together: one of them is enough, whichever
// statements they are of.
func TestCouplingPicksWhatTheMutantsBeforeDoNotCover(t *testing.T) {
	scores := []Score{
		shown("a", 1, 0b1111), shown("b", 2, 0b1111), shown("c", 3, 0b1111),
		shown("d", 4, 0b110000), shown("e", 5, 0b110000), shown("f", 6, 0),
	}
	order := inOrder(scores, Coupling.Rank(scores, nil))
	slices.Sort(order[:2])
	if order[0] > "c" || order[1] != "d" && order[1] != "e" {
		t.Errorf("%v: the first two cover one set", order)
	}
	alone := inOrder(scores, CouplingRule{Alone: true, Prior: 2, Hidden: 3, Apart: .25, PerStatement: 2}.Order(scores))
	if alone[0] > "c" || alone[1] > "c" {
		t.Errorf("%v: what each covers alone is most for those that three share", alone)
	}
}

func TestAStatementHasAtMostTwoOfTheFirstScreen(t *testing.T) {
	var scores []Score
	for i := range 60 {
		scores = append(scores, shown(fmt.Sprintf("m%02d", i), i/20+12*(i/50), uint64(i)))
	}
	for i := range 18 {
		scores = append(scores, shown(fmt.Sprintf("z%02d", i), 50+i, 0))
	}
	count := map[int]int{}
	for _, i := range Coupling.Rank(scores, nil)[:FirstScreen] {
		count[scores[i].Statement]++
	}
	for statement, n := range count {
		if n > 2 {
			t.Errorf("%d mutants of statement %d", n, statement)
		}
	}
	// Of two statements there are no twenty in pairs: the others follow.
	few := scores[:30]
	if order := Coupling.Rank(few, nil); len(slices.Compact(slices.Sorted(slices.Values(order)))) != len(few) {
		t.Errorf("%d of %d mutants", len(order), len(few))
	}
}

// What a suite reaches often and does not kill, though most inputs show it, will not be
// killed by the next test.
func TestSurvivalSpeaksAgainstMutantsThatAreEasyToSee(t *testing.T) {
	easy, hard := shown("a", 1, 0b11111111), shown("b", 2, 0b1)
	before := easy.killable() - hard.killable()
	easy.Survived, hard.Survived = 20, 20
	if !(before == 0 && easy.killable() < hard.killable() && hard.killable() < shownKillable) {
		t.Errorf("easy %v, hard %v", easy.killable(), hard.killable())
	}
}

// The lazy order is compared with one that computes every gain each time.
func TestTheLazyOrderIsThatOfAllGains(t *testing.T) {
	rng := stream.New(2, "test")
	for range 20 {
		var scores []Score
		for i := range 40 {
			scores = append(scores, shown(fmt.Sprintf("m%02d", i), i, rng.Uint64()&rng.Uint64()&255))
		}
		c := newCover(DefaultCoupling, scores)
		var want []int
		for range 10 {
			best, most := -1, -1.0
			for k, g := range c.groups {
				if len(g.members) > 0 && c.gain(g) > most {
					best, most = k, c.gain(g)
				}
			}
			want = append(want, c.take(c.groups[best]))
		}
		if got := Coupling.Rank(scores, nil)[:10]; !slices.Equal(got, want) {
			t.Fatalf("lazy %v, all gains %v", inOrder(scores, got), inOrder(scores, want))
		}
	}
}

// BenchmarkCoupling orders as many mutants as a large program has.
func BenchmarkCoupling(b *testing.B) {
	rng := stream.New(1, "benchmark")
	scores := make([]Score, 1_000_000)
	for i := range scores {
		scores[i] = shown(fmt.Sprintf("%08x", rng.Uint32()), i/8, rng.Uint64()&rng.Uint64()&255)
		scores[i].Function = fmt.Sprint(i / 400)
	}
	for b.Loop() {
		Coupling.Rank(scores, nil)
	}
}

func TestInputsOfTwoEntriesAreNotTheSame(t *testing.T) {
	group := func(entry uint64, statement int32) *group {
		return &group{program: Trial{Tried: 255, Shown: 3, Entry: entry}, statement: statement, function: statement, rate: .1, killable: .9}
	}
	one, same, other := group(1, 1), group(1, 2), group(2, 3)
	if r := DefaultCoupling; !(r.kills(one, same) > r.kills(one, other)) {
		t.Errorf("of one entry %v, of another %v", r.kills(one, same), r.kills(one, other))
	}
}
