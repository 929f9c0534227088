package matrix

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// twin is the slow and obvious set that Bits is compared with.
type twin map[int]bool

func randomPair(r *rand.Rand, n int) (Bits, twin) {
	b, m := NewBits(n), twin{}
	density := r.Float64()
	for i := range n {
		if r.Float64() < density {
			b.Set(i)
			m[i] = true
		}
	}
	if n > 0 { // also exercise taking a member out
		i := r.IntN(n)
		b.Clear(i)
		delete(m, i)
	}
	return b, m
}

func (m twin) sorted() []int {
	var members []int
	for i := range m {
		members = append(members, i)
	}
	slices.Sort(members)
	return members
}

func (m twin) filter(keep func(int) bool) twin {
	out := twin{}
	for i := range m {
		if keep(i) {
			out[i] = true
		}
	}
	return out
}

func TestBitsHaveTheSameMembersAsAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := r.IntN(200)
		a, am := randomPair(r, n)
		b, bm := randomPair(r, n)

		and, or, without := a.Clone(), a.Clone(), a.Clone()
		and.And(b)
		or.Or(b)
		without.AndNot(b)
		union := am.filter(func(int) bool { return true })
		for i := range bm {
			union[i] = true
		}
		common := am.filter(func(i int) bool { return bm[i] })
		difference := am.filter(func(i int) bool { return !bm[i] })

		for _, c := range []struct {
			name string
			got  Bits
			want twin
		}{{"a", a, am}, {"and", and, common}, {"or", or, union}, {"and not", without, difference}} {
			if got, want := slices.Collect(c.got.All()), c.want.sorted(); !slices.Equal(got, want) {
				t.Fatalf("%s of length %d: members %v, want %v", c.name, n, got, want)
			}
			if c.got.Count() != len(c.want) || c.got.Empty() != (len(c.want) == 0) {
				t.Fatalf("%s: Count %d, Empty %v, want %d members", c.name, c.got.Count(), c.got.Empty(), len(c.want))
			}
		}
		if a.CountAnd(b) != len(common) || a.Intersects(b) != (len(common) > 0) {
			t.Fatalf("CountAnd %d, Intersects %v, want %d common members", a.CountAnd(b), a.Intersects(b), len(common))
		}
		if got, want := a.IsSubset(b), len(difference) == 0; got != want {
			t.Fatalf("IsSubset %v, want %v", got, want)
		}
		same := slices.Equal(am.sorted(), bm.sorted())
		if a.Equal(b) != same || (a.Key() == b.Key()) != same {
			t.Fatalf("Equal %v, equal keys %v, want %v", a.Equal(b), a.Key() == b.Key(), same)
		}
		places := r.Perm(n)[:r.IntN(n+1)]
		for k, at := 0, a.At(places); k < len(places); k++ {
			if at.Len() != len(places) || at.Get(k) != am[places[k]] {
				t.Fatalf("place %d of %v: %v", k, places, at)
			}
		}
		if !and.IsSubset(a) || !a.IsSubset(or) || !a.Equal(a.Clone()) {
			t.Fatal("a ∩ b ⊆ a ⊆ a ∪ b does not hold")
		}
	}
}

func TestBitsShowMemberZeroFirst(t *testing.T) {
	if got := BitsOf(4, 0, 2).String(); got != "1010" {
		t.Errorf("{0, 2} of length 4 shows as %q, want 1010", got)
	}
}

func TestWalkingBitsCanStopEarly(t *testing.T) {
	for i := range BitsOf(130, 3, 64, 129).All() {
		if i == 64 {
			return
		}
		if i > 64 {
			t.Fatal("the walk went on after it was left")
		}
	}
}

func TestBitsPanicOutsideTheirLength(t *testing.T) {
	b := NewBits(65)
	for name, use := range map[string]func(){
		"Set past the end":  func() { b.Set(65) }, // inside the second word
		"Get before zero":   func() { b.Get(-1) },
		"Or of two lengths": func() { b.Or(NewBits(66)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			use()
		})
	}
}

func TestVerdictsKeepTheirCodesAndNames(t *testing.T) {
	// These numbers are in files of users: they may grow, never change.
	for code, want := range map[int64]Verdict{1: Killed, 0: Survived, -1: Unknown} {
		if got, err := VerdictOf(code); err != nil || got != want || got.Code() != code {
			t.Errorf("VerdictOf(%d) = %v, %v, want %v", code, got, err, want)
		}
	}
	var cell Verdict
	if cell != Unknown {
		t.Error("a cell that nobody filled is not Unknown")
	}
	for _, code := range []int64{-2, 2} {
		if _, err := VerdictOf(code); err == nil {
			t.Errorf("VerdictOf(%d) gives no error", code)
		}
	}
}

func TestCausesKeepTheirCodesAndNames(t *testing.T) {
	want := "[none output exit signal work time memory outputlimit trap flaky notrun notreached failed notinfected]"
	if got := fmt.Sprint(Causes()); got != want {
		t.Errorf("causes in the order of their codes:\n%s, want\n%s", got, want)
	}
	for i, c := range Causes() {
		if c.Code() != int64(i) {
			t.Errorf("%v has the code %d, want %d", c, c.Code(), i)
		}
		if got, err := ParseCause(c.String()); err != nil || got != c {
			t.Errorf("ParseCause(%q) = %v, %v", c, got, err)
		}
	}
}
