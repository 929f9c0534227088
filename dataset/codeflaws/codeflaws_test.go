package codeflaws

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
)

// newBenchmark lays out a tiny benchmark: one plain subject, one compressed,
// and things that are no subjects.
func newBenchmark(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, filepath.FromSlash(path))
		data := []byte(text)
		if strings.HasSuffix(path, ".gz") {
			var out bytes.Buffer
			z := gzip.NewWriter(&out)
			z.Write(data)
			z.Close()
			data = out.Bytes()
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plain := "12-B-bug-200-100/"
	write(plain+"12-B-200.c", "int main(void) { return 1; }\n")
	write(plain+"12-B-100.c", "int main(void) { return 0; }\n")
	write(plain+"input-pos2", "2\n")
	write(plain+"input-pos10", "10\n")
	write(plain+"input-neg1", "neg\n")
	write(plain+"heldout-input-pos1", "2\n") // repeats input-pos2
	write(plain+"heldout-input-pos2", "1 2 3 4 ...\r\n")
	write(plain+"heldout-input-pos3", "... is no trap when it stands in front\n")
	write(plain+"heldout-input-neg1", "held\n")
	write(plain+"output-pos2", "not an input\n")
	write(plain+"my_outputinput-pos1", "not an input either\n")

	packed := "9-A1-bug-7-8/"
	write(packed+"9-A1-7.c.gz", "int faulty;\n")
	write(packed+"9-A1-8.c.gz", "int fixed;\n")
	write(packed+"input-pos1.gz", "from gzip\n")
	write(packed+"input-pos2.gz", "old\n")
	write(packed+"input-pos2", "plain wins\n")

	write("README", "no subject\n")
	write("10-D-bug-1-2.tar.gz", "no folder\n")
	write("scripts/run.sh", "no subject\n")
	return dir
}

func TestSubjectsAreTheFoldersOfTheBenchmark(t *testing.T) {
	subjects, err := Subjects(newBenchmark(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range subjects {
		faulty, err := ReadSource(s.Faulty)
		if err != nil {
			t.Fatal(err)
		}
		fixed, err := ReadSource(s.Fixed)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, s.ID, s.Problem, string(faulty), string(fixed))
	}
	want := []string{
		"12-B-bug-200-100", "12-B", "int main(void) { return 1; }\n", "int main(void) { return 0; }\n",
		"9-A1-bug-7-8", "9-A1", "int faulty;\n", "int fixed;\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestInputsAreUniqueWholeAndExpanded(t *testing.T) {
	subjects, err := Subjects(newBenchmark(t))
	if err != nil {
		t.Fatal(err)
	}
	show := func(s Subject) string {
		inputs, dropped, err := s.Inputs()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, in := range inputs {
			out = append(out, in.Name+"="+strings.TrimSpace(string(in.Data)))
		}
		return fmt.Sprint(strings.Join(out, "; "), dropped)
	}
	if got, want := show(subjects[0]), "input-neg1=neg; input-pos2=2; input-pos10=10; heldout-input-neg1=held; heldout-input-pos3=... is no trap when it stands in front{1 1}"; got != want {
		t.Errorf("plain inputs: %s, want %s", got, want)
	}
	if got, want := show(subjects[1]), "input-pos1=from gzip; input-pos2=plain wins{0 0}"; got != want {
		t.Errorf("compressed inputs: %s, want %s", got, want)
	}
}

func TestAWrongOrDamagedFolderSaysWhatToDo(t *testing.T) {
	if _, err := Subjects(t.TempDir()); err == nil || !strings.Contains(err.Error(), "7b4622922") {
		t.Errorf("an empty folder: %v", err)
	}
	dir := newBenchmark(t)
	if err := os.Remove(filepath.Join(dir, "9-A1-bug-7-8", "9-A1-8.c.gz")); err != nil {
		t.Fatal(err)
	}
	if _, err := Subjects(dir); err == nil || !strings.Contains(err.Error(), "9-A1-8.c") {
		t.Errorf("a missing source: %v", err)
	}
	bad := filepath.Join(dir, "bad.c.gz")
	if err := os.WriteFile(bad, []byte("not gzip"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSource(bad); err == nil || !strings.Contains(err.Error(), "bad.c.gz") {
		t.Errorf("a damaged gzip file: %v", err)
	}
}

func TestASampleDependsOnTheIdsAndTheSeedOnly(t *testing.T) {
	ids := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	backwards := slices.Clone(ids)
	slices.Reverse(backwards)
	first := Sample(ids, 1)
	if !slices.Equal(first, Sample(backwards, 1)) {
		t.Error("the order of the ids changed the sample")
	}
	if slices.Equal(first, Sample(ids, 2)) {
		t.Error("two seeds gave one order")
	}
	sorted := slices.Clone(first)
	slices.Sort(sorted)
	if !slices.Equal(sorted, ids) || ids[0] != "a" {
		t.Errorf("%v is not a permutation, or the input %v changed", first, ids)
	}
	picked, missing := Pick([]Subject{{ID: "a"}, {ID: "b"}}, []string{"b", "z", "a"})
	if len(picked) != 2 || picked[0].ID != "b" || !slices.Equal(missing, []string{"z"}) {
		t.Errorf("picked %v, missing %v", picked, missing)
	}
}

// results has that many revealing, other and unusable tests, shuffled.
func results(revealing, others, unknown int) fault.Table {
	var out fault.Table
	for v, n := range []int{matrix.Unknown: unknown, matrix.Survived: others, matrix.Killed: revealing} {
		for range n {
			out = append(out, fault.Result{Verdict: matrix.Verdict(v)})
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func TestHardFaultsAreRevealedByLessThanAQuarterOfTheUsableTests(t *testing.T) {
	for _, c := range []struct {
		revealing, others, unknown int
		want                       Reason
	}{
		{24, 76, 0, ""},
		{25, 75, 0, Easy},
		{24, 72, 100, Easy}, // unusable tests do not dilute the share
		{0, 50, 50, NotRevealed},
		{2, 8, 0, ""},
		{2, 7, 90, TooFewTests},
		{1, 9, 0, ""},
	} {
		if _, got := Choose("x", results(c.revealing, c.others, c.unknown), ChooseOptions{}); got != c.want {
			t.Errorf("%d revealing, %d others, %d unusable: %q, want %q", c.revealing, c.others, c.unknown, got, c.want)
		}
	}
}

func TestTheKeptTestsHaveTheShareOfRevealingOnes(t *testing.T) {
	for _, c := range []struct{ revealing, others, wantRevealing, wantAll int }{
		{2, 20, 2, 22},    // few enough: all stay
		{1, 99, 1, 25},    // there is only one
		{3, 97, 2, 25},    // 25 x 3 % = 0.75: two at least
		{12, 88, 3, 25},   // 25 x 12 % = 3
		{14, 86, 4, 25},   // 3.5 is rounded up
		{240, 760, 6, 25}, // 24 %: 6
		{249, 751, 6, 25}, // 24.9 %: 6.2
	} {
		table := results(c.revealing, c.others, 5)
		keep, reason := Choose("x", table, ChooseOptions{Seed: 3})
		if reason != "" {
			t.Fatalf("%d of %d: %s", c.revealing, c.revealing+c.others, reason)
		}
		revealing := 0
		for _, i := range keep {
			switch table[i].Verdict {
			case matrix.Killed:
				revealing++
			case matrix.Unknown:
				t.Error("a test that is not usable was kept")
			}
		}
		if revealing != c.wantRevealing || len(keep) != c.wantAll || 4*revealing >= len(keep) {
			t.Errorf("%d of %d: kept %d, %d of them revealing, want %d and %d", c.revealing, c.revealing+c.others, len(keep), revealing, c.wantAll, c.wantRevealing)
		}
		if !slices.IsSorted(keep) || len(slices.Compact(slices.Clone(keep))) != len(keep) {
			t.Errorf("kept tests %v are not in order, each once", keep)
		}
		again, _ := Choose("x", table, ChooseOptions{Seed: 3})
		if !slices.Equal(keep, again) {
			t.Error("the same seed kept other tests")
		}
	}
	table := results(20, 80, 0)
	a, _ := Choose("x", table, ChooseOptions{})
	b, _ := Choose("y", table, ChooseOptions{})
	if slices.Equal(a, b) {
		t.Error("two subjects drew the same tests")
	}
}
