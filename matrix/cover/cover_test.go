package cover

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

func TestCoverageSurvivesTheWayToItsFileAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, kind := range []Kind{Sites, Infections, Branches} {
		for round := range 10 {
			var tests []string
			for i := range r.IntN(70) {
				tests = append(tests, fmt.Sprint("t", i))
			}
			m, err := New(kind, tests, r.IntN(30))
			if err != nil {
				t.Fatal(err)
			}
			for i := range tests {
				if r.IntN(10) == 0 {
					m.SetUnmeasured(i)
				}
				for s := range m.Sites() {
					if r.IntN(3) == 0 {
						if err := m.Set(i, s); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			var names []string // of every other one
			for k := range m.Sites() * (round % 2) {
				names = append(names, fmt.Sprint("side ", k))
			}
			if names != nil {
				if err := m.Name(names); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(t.TempDir(), fmt.Sprint(round))
			if err := Write(path, m); err != nil {
				t.Fatal(err)
			}
			got, err := Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind() != kind || !slices.Equal(got.Tests(), tests) || !slices.Equal(got.Names(), names) || got.Sites() != m.Sites() || !got.Unmeasured().Equal(m.Unmeasured()) {
				t.Fatalf("read %v of %d sites, unmeasured %v", got.Kind(), got.Sites(), got.Unmeasured())
			}
			for s := range m.Sites() {
				if !got.Reaching(s).Equal(m.Reaching(s)) {
					t.Fatalf("site %d: reached by %v, want %v", s, got.Reaching(s), m.Reaching(s))
				}
			}
		}
	}
}

func TestCoverageRulesOutKillsOnlyOfTestsThatWereMeasured(t *testing.T) {
	m, err := New(Sites, []string{"reaches", "does not", "failed"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Set(0, 0); err != nil {
		t.Fatal(err)
	}
	m.SetUnmeasured(2)
	for test, want := range []matrix.Verdict{matrix.Unknown, matrix.Survived, matrix.Unknown} {
		if got := m.Verdict(test, 0); got != want {
			t.Errorf("%s: %v, want %v", m.Tests()[test], got, want)
		}
	}
}

func TestImpossibleCoverageIsRefused(t *testing.T) {
	if _, err := New(Sites, []string{"t", "t"}, 1); err == nil {
		t.Error("two tests of one name: no error")
	}
	if _, err := New("lines", nil, 1); err == nil {
		t.Error("an unknown kind: no error")
	}
	m, err := New(Sites, []string{"t"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if m.Set(1, 0) == nil || m.Set(0, 1) == nil {
		t.Error("a pair outside the matrix: no error")
	}
}

func TestATableOfAnotherKindIsNotCoverage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	other, err := table.FromColumns(Schema()[:2], []int64{0}, []int64{0})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(path, other); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names the file", err)
	}
}

func TestCoverageByFewerTestsIsThatOfTheOthersLeftOut(t *testing.T) {
	m, err := New(Branches, []string{"a", "b", "c"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Name([]string{"true", "false"}); err != nil {
		t.Fatal(err)
	}
	if err := m.Name([]string{"true"}); err == nil {
		t.Error("one name for two sides")
	}
	m.SetUnmeasured(2)
	for _, pair := range [][2]int{{0, 0}, {1, 0}, {1, 1}} {
		if err := m.Set(pair[0], pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	got := m.OnTests(func(test string) bool { return test != "b" })
	if !slices.Equal(got.Tests(), []string{"a", "c"}) || got.Sites() != 2 || got.Kind() != Branches || !slices.Equal(got.Names(), m.Names()) {
		t.Fatalf("%+v", got)
	}
	if !got.Reaching(0).Equal(matrix.BitsOf(2, 0)) || !got.Reaching(1).Empty() || !got.Unmeasured().Equal(matrix.BitsOf(2, 1)) {
		t.Errorf("%v, %v, unmeasured %v", got.Reaching(0), got.Reaching(1), got.Unmeasured())
	}
}
