package schemata_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

func TestTheBranchingBuildOfEveryProgramIsWellFormed(t *testing.T) {
	for _, file := range programs(t) {
		m := parse(t, compile(t, file))
		for _, f := range m.Functions() {
			ir.NameLocals(f)
			ir.DemotePhis(f)
		}
		before := m.String()
		sides := len(schemata.Sides(m))
		verify(t, file, schemata.BranchingText(m, 0, schemata.Options{Sites: sides, Define: true}))
		if m.String() != before {
			t.Errorf("%s: the module was changed", file)
		}
	}
}

func TestSidesAreNamedInTheirOrder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sides.c")
	source := `int f(int a, int b) {
  if (a > 0 && b > 0)
    return 1;
  switch (a) {
  case 1:
  case 2: return 3;
  case 3: return b ? a + 4 : a * 5;
  }
  while (a < 0) a++;
  return 0;
}
int straight(int a) { return a + 1; }
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	type side struct {
		line  int
		taken string
	}
	var got []side
	for _, s := range schemata.Sides(parse(t, compile(t, file))) {
		if s.Function != "f" {
			t.Errorf("a side in %s", s.Function)
		}
		got = append(got, side{s.Position.Line, s.Taken})
	}
	want := []side{
		{2, "true"}, {2, "false"}, {2, "true"}, {2, "false"},
		{4, "default"}, {4, "case 1, 2"}, {4, "case 3"},
		{7, "true"}, {7, "false"}, {9, "true"}, {9, "false"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("sides %v, want %v", got, want)
	}
}
