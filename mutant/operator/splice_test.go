package operator_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// spliceDriver compares each mutant of the meta-mutant with its twin in C.
const spliceDriver = `
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef long function(PARAMETERS);
int32_t winnow_selector;
int64_t winnow_fuel;
static int table_before[4096];
static struct pair pairs_before[8];
static int grid_before[64][64];
static sigjmp_buf trap;
static void trapped(int n) { siglongjmp(trap, n); }
void winnow_out_of_fuel(void) { siglongjmp(trap, -1); }
enum { TRAPPED = 123456789, OUT_OF_FUEL = 987654321 };
static long call(function *f, int i) {
  static const int numbers[] = {0, 1, -1, 2, 7, -9, 100, 127, 5, -30, 3, 64};
  static const double reals[] = {0, 0.5, 1, -2.25, 3.125, 100.75};
  int a = numbers[i % 12], b = numbers[i * 5 % 11];
  memcpy(table, table_before, sizeof table);
  memcpy(pairs, pairs_before, sizeof pairs);
  memcpy(grid, grid_before, sizeof grid);
  classes = (const unsigned short *)table_before + 4096;
  bits = 77;
  winnow_fuel = 2000;
  switch (sigsetjmp(trap, 1)) {
  case 0: break;
  case -1: return OUT_OF_FUEL;
  default: return TRAPPED;
  }
  return f(a, b, (unsigned)b * 3u, (unsigned char)(a + b), (signed char)a, (short)b, a * 1000003L,
           reals[i % 6], (float)reals[i * 5 % 6], table + 2048);
}
static const struct { int selector; function *meta, *text; } pairs_of_functions[] = {
PAIRS};
int main(void) {
  for (int k = 0; k < 4096; k++) table[k] = k * 7 % 1000;
  for (int k = 0; k < 8; k++) pairs[k].first = k - 3, pairs[k].second = (unsigned char)(k * 50);
  for (int k = 0; k < 4096; k++) grid[k / 64][k % 64] = k * 11 % 999;
  memcpy(grid_before, grid, sizeof grid);
  memcpy(table_before, table, sizeof table);
  memcpy(pairs_before, pairs, sizeof pairs);
  for (int k = 0; k < 4; k++) signal((int[]){SIGFPE, SIGSEGV, SIGILL, SIGABRT}[k], trapped);
  for (unsigned k = 0; k < sizeof pairs_of_functions / sizeof pairs_of_functions[0]; k++)
    for (int i = 0; i < 66; i++) {
      winnow_selector = pairs_of_functions[k].selector;
      long meta = call(pairs_of_functions[k].meta, i);
      if (meta == OUT_OF_FUEL) break; /* the text would not end */
      long text = call(pairs_of_functions[k].text, i);
      if (meta != text) {
        printf("%d %ld %ld\n", pairs_of_functions[k].selector, meta, text);
        break;
      }
    }
  return 0;
}
`

// splicer writes mutants as C.
type splicer struct {
	text   string
	source *csource.File
}

// TestTheReplacementPutIntoTheSourceComputesWhatTheMutantDoes holds the C face
// of every mutant to its behaviour.
func TestTheReplacementPutIntoTheSourceComputesWhatTheMutantDoes(t *testing.T) {
	const file = "testdata/splice/functions.c"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := module(t, file)
	s := splicer{string(text), syntax(t, file)}
	r := operator.Generate(m, operator.Options{Source: s.source, Origins: origins(t, file, m)})
	var twins, pairs strings.Builder
	declared := map[string]bool{}
	count, unplaced := 0, 0
	for i := range r.Mutants {
		one := &r.Mutants[i]
		if slices.Contains([]string{"twice", "less", "next", "class_table"}, one.Function) {
			continue // they are called, not compared
		}
		if one.Replacer == "DELSTMT" && s.declares(one) {
			continue // the variable would be read uninitialised
		}
		if one.Replacer == "SHUFFLECASESDESTS" {
			continue // two places of the text
		}
		twin, ok := s.twin(one)
		if !ok {
			unplaced++
			t.Logf("not found in the source: %s %s `%s` => `%s`", one.Function, one.Type(), one.Original, one.Replacement)
			continue
		}
		count++
		if !declared[one.Function] {
			declared[one.Function] = true
			fmt.Fprintf(&twins, "long %s(PARAMETERS);\n", one.Function)
		}
		twins.WriteString(twin)
		fmt.Fprintf(&pairs, "{%d, %s, %[2]s_%[1]d},\n", one.Selector, one.Function)
	}
	if count < 400 || unplaced > count/50 {
		t.Errorf("%d mutants compared, %d not found in the source", count, unplaced)
	}
	schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
	program := s.declarations() + twins.String() + strings.Replace(spliceDriver, "PAIRS", pairs.String(), 1)
	for line := range strings.Lines(runWith(t, m.String(), program)) {
		var selector int
		var meta, text int64
		if _, err := fmt.Sscan(line, &selector, &meta, &text); err != nil {
			t.Fatalf("the driver prints %q", line)
		}
		one := r.Mutants[selector-1]
		t.Errorf("%s:%d:%d %s `%s` => `%s`: the mutant returns %d, its text %d",
			one.Function, one.Line, one.Column, one.Type(), one.Original, one.Replacement, meta, text)
	}
}

// declarations are what comes before the functions, variables as declarations
// only.
func (s splicer) declarations() string {
	head, _, _ := strings.Cut(s.text, "long arithmetic(")
	head = regexp.MustCompile(`(?m)^(struct pair pairs|int table|unsigned bits|int grid|const unsigned short \*classes)`).ReplaceAllString(head, "extern $1")
	return regexp.MustCompile(`(?m)^static `).ReplaceAllString(head, "static __attribute__((unused)) ")
}

// twin is the mutant's function under another name, with the change that
// package patch makes of the mutant.
func (s splicer) twin(m *mutant.Mutant) (string, bool) {
	c, err := patch.New(s.source).Change(m)
	if err != nil {
		return "", false
	}
	for _, f := range s.source.Functions() {
		if f.Name == m.Function && f.Start.Offset <= c.Start && c.End <= f.End.Offset {
			text := s.text[f.Start.Offset:c.Start] + c.Text + s.text[c.End:f.End.Offset]
			return strings.Replace(text, m.Function+"(", fmt.Sprintf("%s_%d(", m.Function, m.Selector), 1) + "\n", true
		}
	}
	return "", false
}

// declares reports the mutant of an initialisation.
func (s splicer) declares(m *mutant.Mutant) bool {
	for _, e := range s.source.At(m.Line, m.Column) {
		if e.Kind == csource.Initializer {
			return true
		}
	}
	return false
}

func runWith(t *testing.T, ir, program string) string {
	t.Helper()
	dir := t.TempDir()
	var inputs []string
	for name, text := range map[string]string{"meta.ll": ir, "twins.c": program} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, file)
	}
	out := filepath.Join(dir, "program")
	if err := toolchain(t).Link(t.Context(), out, inputs, []string{"-O0", "-w", "-ferror-limit=0", "-fwrapv", "-ffp-contract=off", "-lm"}); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(out).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(output)
}
