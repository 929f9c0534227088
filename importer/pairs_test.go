package importer

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// A fault that each test tells is easy: with Hard it is left out by name, and does not count for
// the limit, after which no further pair is looked at.
func TestAnImportOfPairsTakesHardFaultsOnlyAndEndsAtTheLimit(t *testing.T) {
	folder, history := t.TempDir(), t.TempDir()
	hard, easy := strings.Replace(projecttest.Source, ">= 50", "> 50", 1), strings.Replace(projecttest.Source, ">= 50", "< 50", 1)
	for name, faulty := range map[string]string{"a-easy": easy, "b-hard": hard, "c-hard": hard} {
		testfile.Write(t, filepath.Join(folder, name, "faulty", "grade.c"), faulty)
		testfile.Write(t, filepath.Join(folder, name, "fixed", "grade.c"), projecttest.Source)
		for k, text := range []string{"47", "48", "49", "50", "51"} {
			testfile.Write(t, filepath.Join(folder, name, "tests", string(rune('a'+k))+".in"), text)
		}
	}
	sum, err := Pairs(t.Context(), clangtest.Tools(t), folder, history, PairsOptions{Hard: true, Limit: 1, Record: campaign.RecordOptions{Mutation: programtest.Rules("ROR")}})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Imported != 1 || !slices.Equal(sum.LeftOutPairs, []string{"a-easy: revealed by a quarter of the tests or more"}) {
		t.Errorf("imported %d, left out %q", sum.Imported, sum.LeftOutPairs)
	}
	if s := datasettest.First(t, history); s.Manifest.Program != "b-hard" {
		t.Errorf("recorded is %s", s.Manifest.Program)
	}
}

func TestPairsOfFoldersAreRecordedOnceAndThoseWithoutAFaultToFindLeftOut(t *testing.T) {
	folder, history := t.TempDir(), t.TempDir()
	for name, faulty := range map[string]string{
		"above": strings.Replace(projecttest.Source, ">= 50", "> 50", 1), "same": projecttest.Source, "broken": "int main(void) { return }\n",
	} {
		testfile.Write(t, filepath.Join(folder, name, "faulty", "grade.c"), faulty)
		testfile.Write(t, filepath.Join(folder, name, "fixed", "grade.c"), projecttest.Source)
		testfile.Write(t, filepath.Join(folder, name, "tests.txt"), "-- twin.in --\n50\n")
		for test, text := range map[string]string{"a": "49", "b": "50\n"} {
			testfile.Write(t, filepath.Join(folder, name, "tests", test+".in"), text)
		}
	}
	for name, text := range map[string]string{"untested": projecttest.Source, "empty": ""} {
		for _, version := range []string{"faulty", "fixed"} {
			if err := os.MkdirAll(filepath.Join(folder, name, version), 0o755); err != nil {
				t.Fatal(err)
			}
			if text != "" {
				testfile.Write(t, filepath.Join(folder, name, version, "grade.c"), text)
			}
		}
	}
	testfile.Write(t, filepath.Join(folder, "notes", "readme"), "no pair")
	sum, err := Pairs(t.Context(), clangtest.Tools(t), folder, history, PairsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"no test reveals the fault": 1, "does not compile or run": 1, "its sources or tests cannot be used": 2}; sum.Imported != 1 || !maps.Equal(sum.LeftOut, want) || sum.Killed == 0 {
		t.Errorf("%+v", sum)
	}
	if !slices.Equal(sum.LeftOutPairs, []string{"same: no test reveals the fault"}) || len(sum.Failed) != 3 {
		t.Errorf("left out are %q and %q", sum.LeftOutPairs, sum.Failed)
	}
	s := datasettest.First(t, history)
	if s.Manifest.Program != "above" || s.Manifest.Fault != "faulty" || len(s.Faults) != 2 || s.Faults.Revealing().Count() != 1 {
		t.Errorf("%+v with %d tests", s.Manifest, len(s.Faults))
	}
	hash := datasettest.Hash(t, history)
	again, err := Pairs(t.Context(), clangtest.Tools(t), folder, history, PairsOptions{})
	if err != nil || again.Before != 1 || again.Imported != 0 || datasettest.Hash(t, history) != hash {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestPairsCanBeDescribed(t *testing.T) {
	folder := t.TempDir()
	testfile.Write(t, filepath.Join(folder, "v1", "a.c"), "")
	testfile.Write(t, filepath.Join(folder, "v1", "main.c"), "")
	testfile.Write(t, filepath.Join(folder, "v2", "a.c"), "")
	testfile.Write(t, filepath.Join(folder, pairsFile), `[[pairs]]
name = "off-by-one"
problem = "lists"
faulty = "v1"
fixed = "v2"
harness = ["main.c"]
flags = ["-DX"]
[pairs.tests]
compare = "exit"
[[pairs.tests.command]]
name = "one"
`)
	pairs, err := pairsIn(folder)
	if err != nil {
		t.Fatal(err)
	}
	c, err := pairs[0].Case(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := func(inputs []program.Input) (out []string) {
		for _, in := range inputs {
			out = append(out, paths.Relative(folder, in.Path))
		}
		return out
	}
	if c.Name() != "off-by-one/faulty" || c.Problem != "lists" || !slices.Equal(names(c.Inputs), []string{"v1/a.c", "v1/main.c"}) ||
		!slices.Equal(names(c.Fixed), []string{"v2/a.c", "v2/main.c"}) || !c.Inputs[1].Harness || *c.Expected[0].Status != 0 {
		t.Errorf("%+v", c)
	}
	for reason, text := range map[string]string{"unknown keys": "[[pairs]]\nfauly = \"x\"", "a name of its own": "[[pairs]]\nname = \"../x\"", "no pairs": ""} {
		testfile.Write(t, filepath.Join(folder, pairsFile), text)
		if _, err := pairsIn(folder); exit.Of(err) != exit.Input || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

func TestMatricesOfMartBecomeARunFolder(t *testing.T) {
	folder, history := filepath.Join(t.TempDir(), "their program"), t.TempDir()
	testfile.Write(t, filepath.Join(folder, "mutantsInfos.json"), `{"1": {"Type": "SDL", "SrcLoc": "a.c:3:1"}, "2": {"Type": "REL", "SrcLoc": "a.c:4:1"}}`)
	testfile.Write(t, filepath.Join(folder, "SM.dat"), "key a b\n1 0 1\n2 0 0\n")
	for _, want := range []exit.Code{exit.Done, exit.Output} {
		if _, _, err := Mart(folder, "", history, "test"); want != exit.Done && exit.Of(err) != want || want == exit.Done && err != nil {
			t.Fatalf("%v, want %v", err, want)
		}
	}
	s := datasettest.First(t, history)
	if s.Manifest.Program != "their-program" || s.Manifest.Counts["killed"] != 1 || s.Mutants.Rows() != 2 || len(s.Manifest.Inputs) != 2 {
		t.Errorf("%+v", s.Manifest)
	}
	if _, _, err := Mart(t.TempDir(), "x", history, "test"); exit.Of(err) != exit.Input {
		t.Errorf("an empty folder: %v", err)
	}
}
