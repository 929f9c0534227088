package rank

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/program"
)

func TestLinesOfARepositoryHaveAnAge(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "grade.c")
	commit := func(date, text string) {
		writeFile(t, source, text)
		for _, args := range [][]string{{"init", "-q"}, {"add", "grade.c"}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "x"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	commit("2020-01-01T00:00:00Z", gradeSource)
	commit("2020-01-04T00:00:00Z", strings.Replace(gradeSource, ">= 50", ">= 40", 1))
	for _, asked := range []bool{true, false} {
		p, err := program.Load(t.Context(), toolchain(t), []program.Input{{Path: source}}, program.LoadOptions{Mutation: relations(t), Ages: asked})
		if err != nil {
			t.Fatal(err)
		}
		table, err := program.Features(p)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := rowsOf(table, []string{"line_age", "line_commits"})
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range p.Mutants() {
			want := [2]float64{2, 1} // the loop's head is three days older: log2(1 + 3)
			if !strings.Contains(m.Original, "scanf") {
				want = [2]float64{0, 2}
			}
			if !asked {
				want = [2]float64{math.NaN(), math.NaN()}
			}
			for k := range want {
				if rows[i][k] != want[k] && !(math.IsNaN(rows[i][k]) && math.IsNaN(want[k])) {
					t.Errorf("%s: age and commits %v, want %v", m.Original, rows[i], want)
				}
			}
		}
	}
}

func TestGitIsAskedForModelsThatReadAges(t *testing.T) {
	stump := func(gain float64) *models.Bundle {
		e := &tree.Ensemble{Features: []tree.Feature{{Name: "line_age"}}}
		if gain > 0 {
			e.Trees = []tree.Tree{{Nodes: []tree.Node{{Feature: 0, Gain: gain}}}}
		}
		return &models.Bundle{Fault: e, Kill: &tree.Ensemble{}}
	}
	if ReadsAges(nil) || ReadsAges(stump(0)) || !ReadsAges(stump(1)) {
		t.Error("git is asked in vain, or not at all")
	}
}
