package lightgbm_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dmitryikh/leaves"
	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

func write(t *testing.T, e *tree.Ensemble) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := lightgbm.Write(&b, e); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func random(seed uint64) (*rand.Rand, *tree.Ensemble) {
	rng := rand.New(rand.NewPCG(3, seed))
	return rng, treetest.Ensemble(rng, treetest.Size{Features: 1 + rng.IntN(8), Trees: 1 + rng.IntN(6), Leaves: 1 + rng.IntN(20)})
}

func TestReadingWhatWasWrittenGivesTheSameEnsembleAndTheSameBytes(t *testing.T) {
	for seed := range uint64(100) {
		_, e := random(seed)
		text := write(t, e)
		back, err := lightgbm.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if diff := cmp.Diff(e, back, treetest.AsSaved()); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if again := write(t, back); !bytes.Equal(text, again) {
			t.Fatalf("seed %d: the bytes differ", seed)
		}
	}
}

// leaves is an independent implementation of LightGBM's scoring.
func TestLeavesScoresOurFilesAsWeDo(t *testing.T) {
	for seed := range uint64(100) {
		rng, e := random(seed)
		for i := range e.Features {
			// leaves takes every line apart at '=', escaped or not it must cope.
			if i%2 == 0 {
				e.Features[i].Name = fmt.Sprintf("plain%d", i)
			}
		}
		// It knows no link of lambdarank, whose prediction is the raw score.
		link := e.Objective != tree.Ranking
		peer, err := leaves.LGEnsembleFromReader(bufio.NewReader(bytes.NewReader(write(t, e))), link)
		if err != nil {
			t.Fatalf("seed %d: leaves: %v", seed, err)
		}
		for range 100 {
			row := treetest.Row(rng, e)
			if got, want := peer.PredictSingle(row, 0), e.Predict(row); math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
				t.Fatalf("seed %d: row %v: leaves says %v, we say %v", seed, row, got, want)
			}
		}
	}
}

// The file was written by hand after the text that LightGBM 4 prints, without
// the lines it leaves out for small models. The expected leaves follow from the
// thresholds by eye.
func TestAVersion4FileIsReadAndScored(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "version4.txt"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := lightgbm.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"depth", "opcode", "unused"}, e.Names()); diff != "" {
		t.Error(diff)
	}
	nan := math.NaN()
	for _, c := range []struct{ depth, opcode, want float64 }{
		{1, 0, 0.5},    // depth <= 2.5, opcode not in {1, 33}
		{1, 33, -0.25}, // opcode in the set
		{1, nan, 0.5},  // a missing category goes right
		{3, 1, 2},      // depth > 2.5
		{nan, 1, 2},    // missing depth goes right
	} {
		if got := e.Raw([]float64{c.depth, c.opcode, 0}); got != c.want+0.125 {
			t.Errorf("depth %v, opcode %v: %v, want %v", c.depth, c.opcode, got, c.want+0.125)
		}
	}
}

func TestAModelThatRanksIsLambdarankInLightGBM(t *testing.T) {
	_, e := random(2)
	e.Objective = tree.Ranking
	text := write(t, e)
	for _, want := range []string{"\nobjective=lambdarank\n", "\n[objective: lambdarank]\n"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the file lacks %q", want)
		}
	}
	for _, name := range []string{"lambdarank", "rank_xendcg"} { // both of LightGBM's rank
		back, err := lightgbm.Read(bytes.NewReader(bytes.Replace(text, []byte("=lambdarank"), []byte("="+name), 1)))
		if err != nil || back.Objective != tree.Ranking {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// LightGBM does not look for "Tree=": it cuts the text by tree_sizes.
func TestTreeSizesAreTheLengthsOfTheTrees(t *testing.T) {
	for seed := range uint64(10) {
		_, e := random(seed)
		text := string(write(t, e))
		_, after, _ := strings.Cut(text, "tree_sizes=")
		line, rest, _ := strings.Cut(after, "\n\n")
		for i, word := range strings.Fields(line) {
			size, err := strconv.Atoi(word)
			if err != nil || !strings.HasPrefix(rest, fmt.Sprintf("Tree=%d\n", i)) {
				t.Fatalf("seed %d: at tree %d: %.20q, %v", seed, i, rest, err)
			}
			rest = rest[size:]
		}
		if !strings.HasPrefix(rest, "end of trees\n") {
			t.Errorf("seed %d: the trees end at %.20q", seed, rest)
		}
	}
}

func TestWindowsLineEndsAreRead(t *testing.T) {
	_, e := random(1)
	text := bytes.ReplaceAll(write(t, e), []byte("\n"), []byte("\r\n"))
	if _, err := lightgbm.Read(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
}

func TestEveryTruncationIsReportedAsOne(t *testing.T) {
	_, e := random(5)
	text := write(t, e)
	end := bytes.Index(text, []byte("end of trees"))
	for n := range end {
		_, err := lightgbm.Read(bytes.NewReader(text[:n]))
		if err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, end)
		}
		var format *lightgbm.FormatError
		if !errors.As(err, &format) || format.Line < 1 {
			t.Fatalf("cut at %d: no line number in %v", n, err)
		}
	}
	_, err := lightgbm.Read(bytes.NewReader(text[:end]))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("cut before the end mark: %v", err)
	}
}

func TestADamagedFileIsRefusedWithLineAndExpectation(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("testdata", "version4.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"version=v4", "version=v2", `line 2: format version "v2"`},
		{"version=v4\n", "", `expected a line "version=..."`},
		{"num_class=1", "num_class=3", "line 3: 3 classes"},
		{"max_feature_idx=2", "max_feature_idx=3", "feature_names: expected 4 names (max_feature_idx=3), found 3"},
		{"max_feature_idx=2", "max_feature_idx=two", `line 6: max_feature_idx: expected a whole number, found "two"`},
		{"binary sigmoid:1", "poisson", `objective "poisson"`},
		{"binary sigmoid:1", "binary sigmoid:0.5", `objective "binary sigmoid:0.5"`},
		{"[0:9]", "[0-9]", "feature_infos: entry 1"},
		{"num_leaves=3", "num_leaves=2000000000", "leaf_value: expected 2000000000 entries, found 3"},
		{"num_leaves=3", "num_leaves=0", "num_leaves: expected 1 or more, found 0"},
		{"num_cat=1", "num_cat=-1", "num_cat: expected 0 or more, found -1"},
		{"num_cat=1", "num_cat=2", "cat_boundaries: expected 3 entries (num_cat=2), found 2"},
		{"cat_boundaries=0 2", "cat_boundaries=0 9", "expected a range within 0 to 2, found 0 to 9"},
		{"threshold=2.5 0", "threshold=2.5 1", "expected the number of one of 1 sets of categories, found 1"},
		{"left_child=1 -1", "left_child=0 -1", "two parents"},
		{"left_child=1 -1", "left_child=99999999999 -1", "out of range"},
		{"split_feature=0 1", "split_feature=0 7", "feature 7 of 3"},
		{"leaf_value=-0.25", "leaf_value=x", `leaf_value: entry 1: expected a number, found "x"`},
		{"decision_type=8", "decision_type=77", "expected 0 to 15, found 77"},
		{"is_linear=0", "is_linear=1", "linear trees"},
		{"Tree=1", "Tree=2", `expected "Tree=1" or "end of trees", found "Tree=2"`},
		{"tree_sizes=10 10", "tree_sizes=10 10 10", "the header promised 3 trees, found 2"},
		{"label_index=0", "version=v4", `"version" was given on line 2 already`},
		{"label_index=0", "average_output", "random forest"},
		{"feature_names=depth opcode unused", "feature_names=depth depth unused", "both called"},
	} {
		text := strings.Replace(string(whole), c.from, c.to, 1)
		if text == string(whole) {
			t.Fatalf("%q is not in the file", c.from)
		}
		_, err := lightgbm.Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s -> %s: want an error with %q, got %v", c.from, c.to, c.want, err)
		}
	}
}

func TestModelsThatWouldBeScoredWronglyAreMarkedUnsupported(t *testing.T) {
	for _, text := range []string{
		"binf\x00\x00\x00\x00", "{L\x00\x00", `{"learner":{}}`, "\x1f\x8b\x00\x00",
		"tree\nversion=v3\naverage_output\n\n",
	} {
		if _, err := lightgbm.Read(strings.NewReader(text)); !errors.Is(err, lightgbm.ErrUnsupported) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAnInvalidEnsembleIsNotWritten(t *testing.T) {
	if err := lightgbm.Write(io.Discard, &tree.Ensemble{}); err == nil {
		t.Error("an empty ensemble was written")
	}
}

type brokenDisk struct{}

func (brokenDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
func (brokenDisk) Read([]byte) (int, error)  { return 0, io.ErrClosedPipe }

func TestErrorsOfTheDiskAreHandedOn(t *testing.T) {
	_, e := random(1)
	if err := lightgbm.Write(brokenDisk{}, e); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("writing: %v", err)
	}
	if _, err := lightgbm.Read(brokenDisk{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("reading: %v", err)
	}
}

// FuzzRead: whatever the bytes, Read returns; what it accepts survives a round
// trip.
func FuzzRead(f *testing.F) {
	whole, err := os.ReadFile(filepath.Join("testdata", "version4.txt"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for seed := range uint64(5) {
		_, e := random(seed)
		var b bytes.Buffer
		if err := lightgbm.Write(&b, e); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := lightgbm.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		back, err := lightgbm.Read(bytes.NewReader(write(t, e)))
		if err != nil {
			t.Fatalf("what was accepted and written cannot be read: %v", err)
		}
		if diff := cmp.Diff(e, back, treetest.AsSaved()); diff != "" {
			t.Fatal(diff)
		}
	})
}
