package importer

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/inputs/grammar"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
)

// lookupSource sums a list and looks a number up, beyond the end of the table for
// some of its inputs.
const lookupSource = `#include <stdio.h>
int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int main(void) {
  int n, k, v, sum = 0;
  scanf("%d %d", &n, &k);
  for (int i = 0; i < n; i++) { scanf("%d", &v); sum += v; }
  printf("%d %d\n", table[k], sum > 20);
  return 0;
}
`

// lookupPair writes a pair with a fault that few tests reveal, and returns the
// texts of its tests.
func lookupPair(t *testing.T) (folder string, inputs [][]byte) {
	t.Helper()
	folder = t.TempDir()
	testfile.Write(t, filepath.Join(folder, "lookup", "faulty", "lookup.c"), strings.Replace(lookupSource, "sum > 20", "sum > 24", 1))
	testfile.Write(t, filepath.Join(folder, "lookup", "fixed", "lookup.c"), lookupSource)
	for k, list := range []string{"1", "9 9 5", "2 3", "8 8 8 8", "5 5 5", "0 0 0 0 0", "7", "9 9 9", "4 6", "1 2 3 4", "6 6 6 6", "3 9"} {
		text := fmt.Sprintf("%d %d\n%s\n", len(strings.Fields(list)), k%9, list)
		testfile.Write(t, filepath.Join(folder, "lookup", "tests", fmt.Sprintf("t%02d.in", k)), text)
		inputs = append(inputs, []byte(text))
	}
	return folder, inputs
}

func TestAddedTestsAreCleanMarkedAndLeaveTheOwnOnesAsTheyWere(t *testing.T) {
	folder, inputs := lookupPair(t)
	builder, histories := buildtest.Builder(t), map[int]string{0: t.TempDir(), 20: t.TempDir(), -20: t.TempDir()}
	sums := map[int]map[string]int64{}
	for n, history := range histories {
		sums[n] = recordPair(t, builder, folder, history, max(n, -n))
	}
	if datasettest.Hash(t, histories[20]) != datasettest.Hash(t, histories[-20]) {
		t.Error("the same import made another history")
	}
	with, own := datasettest.First(t, histories[20]), datasettest.First(t, histories[0])
	if sum := sums[20]; sum["augmented"] < 10 || sum["augmented"] >= sum["drafted"] || sum["augmented_revealing"] == 0 ||
		sum["revealing"] != sums[0]["revealing"]+sum["augmented_revealing"] {
		t.Errorf("%v; without: %v", sum, sums[0])
	}
	learnt := grammar.Infer(inputs)
	kinds := map[int]bool{}
	marked, reading := 0, map[string]int{}
	for _, f := range with.Faults {
		if !f.Augmented {
			continue
		}
		marked++
		text, err := os.ReadFile(filepath.Join(histories[20], "lookup", campaign.MadeFolder, f.Test+".in"))
		if err != nil {
			t.Fatal(err)
		}
		var n, k, sum int
		if _, err := fmt.Sscan(string(text), &n, &k); err != nil || !learnt.Accepts(text) || k > 7 {
			t.Errorf("kept %q, on which the program reads beyond its table or that is none of the grammar: %v", text, err)
		}
		words := bytes.Fields(text)[2:]
		for _, w := range words {
			var v int
			if _, err := fmt.Sscan(string(w), &v); err != nil {
				t.Fatal(err)
			}
			sum += v
		}
		if reveals := sum > 20 && sum <= 24; len(words) != n || reveals != (f.Verdict == matrix.Killed) {
			t.Errorf("test %q has the verdict %v", text, f.Verdict)
		}
		kinds[n] = true
		reading[string(text)]++
	}
	if int64(marked) != sums[20]["augmented"] || len(reading) != marked || len(kinds) < 3 {
		t.Errorf("%d tests are marked, %d are different, of the lengths %v; the manifest says %v", marked, len(reading), kinds, sums[20])
	}
	h, err := dataset.OpenHistory(histories[20])
	if err != nil {
		t.Fatal(err)
	}
	h.UsePool(dataset.OriginalTests)
	restricted, err := h.Runs[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := evidenceText(t, restricted), evidenceText(t, own); got != want {
		t.Errorf("on its own tests the history says\n%s\nand without the others\n%s", got, want)
	}
}

// recordPair records the pair of a folder with added tests.
func recordPair(t *testing.T, builder *build.Builder, folder, history string, augment int) map[string]int64 {
	t.Helper()
	pairs, err := pairsIn(folder)
	if err != nil {
		t.Fatal(err)
	}
	c, err := pairs[0].Case(folder)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(history, c.Program)
	_, err = campaign.Record(t.Context(), builder, *c, dir, campaign.RecordOptions{Augment: augment, Seed: 1, Mutation: programtest.Rules("ROR,CRCR,sdl"), Pool: campaign.RevealedPool, Counts: true})
	if err != nil {
		t.Fatal(err)
	}
	m, err := dataset.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m.Counts
}

func evidenceText(t *testing.T, s *dataset.Subject) string {
	t.Helper()
	e, err := dataset.NewEvidence(s)
	if err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprintln(e.Tests, e.Reveals)
	for m, id := range e.Mutants {
		out += fmt.Sprintln(id, e.Killed[m], e.Unknown[m])
	}
	return out
}

func TestAProgramThatSanitizersDoNotCompileGetsNoTests(t *testing.T) {
	folder, _ := lookupPair(t)
	for _, version := range []string{"faulty", "fixed"} {
		path := filepath.Join(folder, "lookup", version, "lookup.c")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, path, "#if __has_feature(address_sanitizer)\n#error not with sanitizers\n#endif\n"+string(text))
	}
	sum, err := Pairs(t.Context(), clangtest.Tools(t), folder, t.TempDir(), PairsOptions{Record: campaign.RecordOptions{Augment: 5, Mutation: programtest.Rules("ROR,CRCR,sdl")}})
	if err != nil || sum.Imported != 1 || sum.Augmented != 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
}

func TestAHistoryHasAddedTestsInAllItsFaultsOrInNone(t *testing.T) {
	im := &importer{history: "history", opts: Options{Augment: 5}}
	if err := im.sameTests("id", "5"); err != nil {
		t.Error(err)
	}
	for _, before := range []string{"", "6"} {
		if err := im.sameTests("id", before); err == nil || !strings.Contains(err.Error(), "not 5") {
			t.Errorf("recorded with %q: %v", before, err)
		}
	}
}
