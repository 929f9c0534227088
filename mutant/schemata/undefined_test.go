package schemata_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// A local variable whose first value a mutant deletes must not be undefined to
// the optimiser. It would then be whatever a register holds: in examples/bst that
// was the address of the counter of work, and the mutant ran for ever.
func TestADeletedFirstValueLeavesNothingUndefined(t *testing.T) {
	file := filepath.Join(t.TempDir(), "first.c")
	source := `int next(int);
int main(void) {
  int n = next(1), k = 2;
  n = next(n + k);
  return n;
}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	m := parse(t, compile(t, file))
	made := operator.Generate(m, operator.Options{Source: syntax(t, file)})
	deleted := 0
	for _, m := range made.Mutants {
		if m.Replacer == "DELSTMT" {
			deleted++
		}
	}
	if deleted < 3 {
		t.Fatalf("%d mutants delete a statement, want the three that assign and more", deleted)
	}
	schemata.Build(m, made.Mutants, schemata.Options{Sites: made.Sites, Define: true})
	text, err := toolchain(t).Optimize(t.Context(), file, []byte(m.String()), "function(sroa)")
	if err != nil {
		t.Fatal(err)
	}
	if frozen := regexp.MustCompile(`freeze \S+ undef`).FindAllString(string(text), -1); len(frozen) == 0 {
		t.Error("no variable is without a first value: the test shows nothing")
	}
	for _, phi := range regexp.MustCompile(`.* = phi .*\bundef\b.*`).FindAllString(string(text), -1) {
		t.Errorf("undefined in a mutant: %s", phi)
	}
}
