package tce_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// schemataTests holds programs that show what they compute, and the driver that
// runs their meta-mutants under limits.
const schemataTests = "../../mutant/schemata/testdata"

// TestMutantsThatAreDeclaredEqualBehaveAlike runs every mutant that the default
// passes tie to the original or to another mutant, and what it is tied to.
func TestMutantsThatAreDeclaredEqualBehaveAlike(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(schemataTests, "*.c"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range append(deep.Sample(t, 2, files), "testdata/rounds.c") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			p := load(t, file)
			whole := p.decide(t, tce.Options{})
			verdicts := slices.Clone(whole)
			// Every function in windows: where these tie a mutant, their word is
			// taken instead.
			for i, v := range p.decide(t, tce.Options{Large: 1, Window: 12}) {
				if v.Kind != equiv.Unknown {
					verdicts[i] = v
				}
			}
			if p.expectAlike(t, verdicts) == 0 {
				t.Error("no mutant is tied to another: the program shows nothing")
			}
		})
	}
}

// expectAlike runs what verdicts tie to each other, and counts it.
func (p *program) expectAlike(t *testing.T, verdicts []equiv.Verdict) (tied int) {
	t.Helper()
	seen := run(t, p.metaMutant(t), verdicts)
	for _, v := range verdicts {
		if v.Kind == equiv.Unknown {
			continue
		}
		tied++
		if seen[v.Mutant] != seen[v.Of] {
			m := p.mutants[v.Mutant-1]
			t.Errorf("%s:%d %s %s `%s` => `%s` (%d) is called %v of %d, but prints\n%q, not\n%q",
				p.file, m.Line, m.Function, m.Type(), m.Original, m.Replacement, m.Selector, v.Kind, v.Of, seen[v.Mutant], seen[v.Of])
		}
	}
	return tied
}

// metaMutant builds the program with its mutants behind a selector. Locals
// start at zero, so that a mutant that drops an initialisation always reads the
// same.
func (p *program) metaMutant(t *testing.T) string {
	t.Helper()
	for _, f := range p.module.Functions() {
		zeroLocals(f)
	}
	schemata.Build(p.module, p.mutants, schemata.Options{Sites: p.sites, Define: true})
	dir := t.TempDir()
	text, out := filepath.Join(dir, "program.ll"), filepath.Join(dir, "program")
	if err := os.WriteFile(text, []byte(p.module.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	inputs := append([]string{text, filepath.Join(schemataTests, "runtime", "driver.c")}, p.beside...)
	if err := toolchain(t).Link(context.Background(), out, inputs, []string{"-O0", "-lm"}); err != nil {
		t.Fatal(err)
	}
	return out
}

func zeroLocals(f *llir.Func) {
	entry := f.Blocks[0]
	var out []llir.Instruction
	for _, inst := range entry.Insts {
		out = append(out, inst)
		if slot, ok := inst.(*llir.InstAlloca); ok && slot.NElems == nil {
			out = append(out, llir.NewStore(constant.NewZeroInitializer(slot.ElemType), slot))
		}
	}
	entry.Insts = out
}

// run returns what the driver shows of each mutant that is tied to another one,
// and of what it is tied to: exit status and output.
func run(t *testing.T, program string, verdicts []equiv.Verdict) map[int32]string {
	t.Helper()
	args := []string{"0"}
	for _, v := range verdicts {
		if v.Kind != equiv.Unknown {
			args = append(args, strconv.Itoa(int(v.Mutant)), strconv.Itoa(int(v.Of)))
		}
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int32]string{}
	for line := range strings.Lines(string(out)) {
		selector, behaviour, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		k, err := strconv.Atoi(selector)
		if err != nil {
			t.Fatalf("the driver prints %q", line)
		}
		if status, _, _ := strings.Cut(behaviour, " "); status == outOfFuel {
			behaviour = status // how far it came depends on the work of each round
		}
		seen[int32(k)] = behaviour
	}
	return seen
}

const outOfFuel = "99"
