package patch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// inTwoForms is a mutant as a module and as C.
type inTwoForms struct {
	*mutant.Mutant
	module string
	text   []byte
}

// TestSpreadStatementsGoInTheOrderOfTheirC compares what mutants print that delete a
// statement or trap in its place, where && || or ?: spread it over several blocks.
func TestSpreadStatementsGoInTheOrderOfTheirC(t *testing.T) {
	source, module := read(t, filepath.Join("testdata", "order.c"))
	mutants := operator.Generate(module, operator.Options{Source: source}).Mutants
	patcher, reasons, traps := patch.New(source), map[patch.Reason]int{}, 0
	var compared []inTwoForms
	for i := range mutants {
		m := &mutants[i]
		if m.Matcher != "STMT" || !strings.HasPrefix(m.Function, "f") || !strings.ContainsAny(m.Original, "&|?") {
			continue
		}
		_, text, err := patcher.Mutated(m)
		if none := (*patch.NoCounterpart)(nil); errors.As(err, &none) {
			reasons[none.Reason]++
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		alone, err := schemata.ApplyText(module, m)
		if err != nil {
			t.Fatal(err)
		}
		compared = append(compared, inTwoForms{m, alone, text})
		if m.Replacer == "TRAPSTMT" {
			traps++
		}
	}
	// int v = say(1) + (say(a) || say(b)) without its assignment is two statements.
	if deletions := len(compared) - traps; traps < 11 || deletions < 7 || len(reasons) > 2 || reasons[patch.Declaration] != 1 || reasons[patch.Needed] > 1 {
		t.Errorf("%d traps and %d deletions are compared, without C: %v", traps, deletions, reasons)
	}
	dir := t.TempDir()
	if _, err := parallel.Map(t.Context(), 0, compared, func(ctx context.Context, i int, m inTwoForms) (struct{}, error) {
		inIR, inC := build(t, filepath.Join(dir, fmt.Sprint(i, ".ll")), []byte(m.module)), build(t, filepath.Join(dir, fmt.Sprint(i, ".c")), m.text)
		for _, numbers := range [][]string{{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}} {
			args := append([]string{strings.TrimPrefix(m.Function, "f")}, numbers...)
			if a, b := printed(ctx, inIR, args), printed(ctx, inC, args); a != b {
				t.Errorf("%s: `%s` => `%s` on %v prints %q, its C %q", m.Function, m.Original, m.Replacement, numbers, a, b)
			}
		}
		return struct{}{}, nil
	}); err != nil {
		t.Fatal(err)
	}
}

func build(t *testing.T, file string, text []byte) string {
	program := strings.TrimSuffix(file, filepath.Ext(file)) + filepath.Ext(file)[1:]
	if err := errors.Join(os.WriteFile(file, text, 0o644), toolchain(t).Link(t.Context(), program, []string{file}, []string{"-w"})); err != nil {
		t.Error(err)
	}
	return program
}

// printed is what a program prints, and how it ends.
func printed(ctx context.Context, program string, args []string) string {
	out, err := exec.CommandContext(ctx, program, args...).Output()
	if err != nil {
		return string(out) + "and dies"
	}
	return string(out)
}
