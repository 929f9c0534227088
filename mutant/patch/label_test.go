package patch_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

const labelled = `#define THIRD 3
int f(int a, int b) {
  int r = 0;
  switch (a) {
  case 1: case 5:
    r = 1;
    break;
  case 2:
    r = 2;
    r += b;
    r *= 2;
    r += b;
    r *= 2;
    r += b;
    r *= 2;
    /* falls through */
  case THIRD:
    switch (b) {
    case 1:
      r = 31;
      break;
    case 2:
      r = 32;
    }
    break;
  default:
    r = 9;
  }
  return r;
}
`

// TestLabelsThatChangePlacesAreADiffThatCompiles has cases that share a
// statement, fall through, are macros, and lie in a switch without a default.
func TestLabelsThatChangePlacesAreADiffThatCompiles(t *testing.T) {
	dir := write(t, map[string]string{"a.c": labelled})
	path := filepath.Join(dir, "a.c")
	rules, err := rule.Lookup("mart816")
	if err != nil {
		t.Fatal(err)
	}
	source, module := read(t, path)
	mutants := operator.Generate(module, operator.Options{Source: source, Rules: rules}).Mutants
	p := patch.New(source)
	p.Folder = dir
	for _, c := range []struct {
		original string
		want     []string // lines of the diff, without those that are equal
	}{
		{"case 1: … case 2:", []string{"-  case 1: case 5:", "+  case 2: case 5:", "-  case 2:", "+  case 1:"}},
		{"case 2: … case 3:", []string{"-  case 2:", "+  case THIRD:", "-  case THIRD:", "+  case 2:"}},
		{"case 2: … default:", []string{"-  case 2:", "+  default:", "-  default:", "+  case 2:"}},
		{"case 5: … default:", []string{"-  case 1: case 5:", "+  case 1: default:", "-  default:", "+  case 5:"}},
		// The inner switch has no default: one is made.
		{"case 1: … default:", []string{"-    case 1:", "+    default:", "-    }", "+    case 1:; }"}},
	} {
		found := false
		for i := range mutants {
			m := &mutants[i]
			if m.Replacer != "SHUFFLECASESDESTS" || strings.ReplaceAll(m.Original, "THIRD", "3") != c.original ||
				strings.HasPrefix(c.want[0], "-    ") != (m.Line > 17) {
				continue
			}
			found = true
			diff, err := p.Diff(m)
			if err != nil {
				t.Errorf("%s: %v", c.original, err)
				continue
			}
			var changed []string
			for line := range strings.Lines(diff) {
				if strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "- ") {
					changed = append(changed, strings.TrimSuffix(line, "\n"))
				}
			}
			if strings.Join(changed, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%s:\n%s\nwant\n%s", c.original, diff, strings.Join(c.want, "\n"))
			}
			apply(t, dir, diff, "git", "apply")
			if _, err := toolchain(t).Compile(t.Context(), path, []string{"-Werror"}); err != nil {
				t.Errorf("%s: %v", c.original, err)
			}
			apply(t, dir, diff, "git", "apply", "-R")
		}
		if !found {
			t.Errorf("no mutant %s", c.original)
		}
	}
	for i := range mutants {
		if m := &mutants[i]; m.Replacer == "SHUFFLECASESDESTS" {
			if _, err := p.Diff(m); err != nil {
				t.Errorf("%s: %v", m.Original, err)
			}
		}
	}
}
