package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/report"
)

// What a ranking says that tells a mutant is true of the programs as they run: each input, made a
// test that expects what the original was said to print, passes on the original and kills its
// mutant. WINNOW_TOLD names files of C that are looked at, too, with a pattern.
func TestTheExamplesOfARankingKillTheirMutants(t *testing.T) {
	// least are examples among the first sixty.
	type subject struct {
		name   string
		least  int
		source string // "" of an example
	}
	told := 0
	subjects := deep.Sample(t, 1, []subject{{"uncomment", 55, ""}, {"expr", 45, ""}, {"bigcalc", 55, ""}, {"bst", 55, ""}, {"calendar", 38, ""}, {"codec", 55, ""}, {"justify", 43, ""}, {"matrix", 22, ""}, {"rooms", 38, ""}})
	subjects = append(subjects, subject{"sides", 45, filepath.Join("testdata", "told", "sides.c")},
		subject{"lines", 45, filepath.Join("testdata", "told", "lines.c")}, subject{"options", 50, filepath.Join("testdata", "told", "options.c")})
	others, err := filepath.Glob(os.Getenv("WINNOW_TOLD"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range others {
		subjects = append(subjects, subject{strings.TrimSuffix(filepath.Base(path), ".c"), 0, path})
	}
	for _, c := range subjects {
		source := c.source
		if source == "" {
			source = filepath.Join("..", "..", "examples", c.name, c.name+".c")
		}
		var out, errors bytes.Buffer
		if code := run(t.Context(), []string{"rank", source, "--top", "60", "--format", "json"}, &out, &errors); code != 0 {
			t.Fatalf("rank %s: status %d: %s", source, code, errors.String())
		}
		if strings.Contains(errors.String(), "bug in winnow") { // which costs a function its examples, and no status
			t.Errorf("rank %s: %s", source, errors.String())
		}
		var ranking report.Ranking
		if err := json.Unmarshal(out.Bytes(), &ranking); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		project, record := filepath.Join(dir, c.name), filepath.Join(dir, "run")
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, filepath.Join(project, c.name+".c"), string(text))
		test, of := map[string]string{}, map[string]*report.Example{} // by mutant
		byInput := map[string]string{}                                // the name of the test; two of one input are one
		named := map[string]string{}                                  // files that the program names: all tests have the same
		functions := map[string]bool{}                                // of these mutants: the others' need not be made
		only, settings := "", fmt.Sprintf("program = %q\nsources = [%q]\nflags = [\"-lm\"]\n", c.name, c.name+".c")
		for i := range ranking.Mutants {
			m := &ranking.Mutants[i]
			if m.Example == nil || m.Example.Call != "" || slices.ContainsFunc(m.Example.Files, func(f inputs.File) bool {
				text, known := named[f.Name]
				return known && text != f.Text && !slices.Contains(m.Example.Args, f.Name)
			}) {
				continue
			}
			for _, f := range m.Example.Files {
				named[f.Name] = f.Text
			}
			given := fmt.Sprintf("%q", m.Example.Given)
			name, known := byInput[given]
			if !known {
				name = fmt.Sprintf("rank-%03d", m.Rank)
				byInput[given] = name
			}
			test[m.ID], of[m.ID] = name, m.Example
			functions[m.Function] = true
			only += m.ID + "\n"
			if known {
				continue
			}
			e := *m.Example
			settings += fmt.Sprintf("[[tests.command]]\nname = %q\ninput = \"%[1]s.in\"\nexpect = \"%[1]s.out\"\nstatus = %d\n", name, e.Original.Status)
			printed := e.Original.Printed
			var files []string
			for _, f := range e.Files { // each test has its own in the folder of the project
				unlike := name + "-" + f.Name
				e.Args = slices.Clone(e.Args)
				if slices.Contains(e.Args, f.Name) {
					printed = strings.ReplaceAll(printed, f.Name, unlike)
				} else { // the program names it
					unlike = f.Name
				}
				for k := range e.Args {
					if e.Args[k] == f.Name {
						e.Args[k] = unlike
					}
				}
				files = append(files, unlike)
				testfile.Write(t, filepath.Join(project, unlike), f.Text)
			}
			for key, list := range map[string][]string{"args": e.Args, "files": files} {
				if text, err := json.Marshal(list); err != nil {
					t.Fatal(err)
				} else if len(list) > 0 {
					settings += fmt.Sprintf("%s = %s\n", key, text)
				}
			}
			testfile.Write(t, filepath.Join(project, name+".in"), e.Input)
			testfile.Write(t, filepath.Join(project, name+".out"), printed)
		}
		t.Logf("%s: %d of the first %d mutants have an example", c.name, len(test), len(ranking.Mutants))
		if len(test) < c.least {
			t.Errorf("%s: %d of the first %d mutants have an example, want %d", c.name, len(test), len(ranking.Mutants), c.least)
		}
		if len(test) == 0 {
			continue
		}
		testfile.Write(t, filepath.Join(project, "winnow.toml"), settings)
		list := filepath.Join(dir, "only")
		testfile.Write(t, list, only)
		out.Reset()
		errors.Reset()
		if code := run(t.Context(), []string{"run", project, "--matrix", "--no-prove", "--functions", strings.Join(slices.Sorted(maps.Keys(functions)), ","), "--only", list, "--out", record, "--progress", "silent"}, &out, &errors); code != 0 {
			t.Fatalf("run %s: status %d: %s%s", c.name, code, out.String(), errors.String())
		}
		if text := out.String() + errors.String(); strings.Contains(text, "bug in winnow") {
			t.Errorf("run %s: %s", c.name, text)
		}
		kills, err := kill.Read(filepath.Join(record, c.name, dataset.KillsFile), kill.Everything)
		if err != nil {
			t.Fatal(err)
		}
		place := map[string]int{}
		for k, name := range kills.Tests() {
			place[name] = k
		}
		for k, id := range kills.Mutants() {
			name, ok := test[id]
			if !ok {
				continue
			}
			at, ok := place[name]
			if !ok {
				t.Errorf("%s: the original does not pass %s", c.name, name)
				continue
			}
			told++
			if got := kills.Cell(k, at).Verdict; got != matrix.Killed {
				e, _ := json.Marshal(of[id])
				t.Errorf("%s: %s says that it kills mutant %s, which it does not (%v): %s", c.name, name, id, got, e)
			}
		}
	}
	if t.Logf("%d examples were held to what runs do", told); told < 75 {
		t.Error("want at least 75")
	}
}
