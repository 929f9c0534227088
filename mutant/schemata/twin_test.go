package schemata_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/mutant/twin"
)

// sample is how many mutants of a program are compared with their twins; what
// the meta-mutant does with the others is still run.
const sample = 30

const outOfFuel = "99"

// TestEveryMutantBehavesAsItsTwin is the slow twin of the meta-mutant: a
// selected mutant prints and returns what the program made by Apply for it
// alone does.
//
// The twins of a program become one executable: their functions and variables
// are renamed apart and their mains listed in a table. All locals start at
// zero, so that a mutant that drops an initialisation reads the same in both.
func TestEveryMutantBehavesAsItsTwin(t *testing.T) {
	for _, file := range programs(t) {
		sets := []string{"default"}
		switch filepath.Base(file) {
		case "compound.c", "pointers.c":
			sets = append(sets, "mart816")
		}
		for _, set := range sets {
			t.Run(filepath.Base(file)+" "+set, func(t *testing.T) {
				t.Parallel()
				testTwins(t, file, set)
			})
		}
	}
}

func testTwins(t *testing.T, file, set string) {
	p := &twins{file: file, text: compile(t, file), source: syntax(t, file), rules: rulesOf(t, set)}
	mutants := p.generate(t).Mutants
	chosen := p.choose(mutants)
	meta := run(t, p.metaMutant(t), append(slices.Clone(chosen), len(mutants)+1, -1))
	alone := run(t, p.alone(t, chosen), chosen)
	killed := 0
	for _, k := range chosen[1:] {
		m := mutants[k-1]
		if meta[k] != alone[k] && !(meta[k].isOutOfFuel() && alone[k].isOutOfFuel()) {
			t.Errorf("%s:%d:%d %s `%s` => `%s` (%d): in the meta-mutant %v, alone %v",
				file, m.Line, m.Column, m.Type(), m.Original, m.Replacement, m.Selector, meta[k], alone[k])
		}
		if meta[k] != alone[0] {
			killed++
		}
	}
	for _, unknown := range []int{0, len(mutants) + 1, -1} {
		if meta[unknown] != alone[0] {
			t.Errorf("selector %d: %v, but the original %v", unknown, meta[unknown], alone[0])
		}
	}
	want := len(chosen) / 2
	if p.rules != nil && p.rules.Mart {
		want /= 4 // most of what Mart makes of stores is the original
	}
	if killed < want {
		t.Errorf("only %d of %d mutants differ from the original: the program shows too little", killed, len(chosen))
	}
}

func rulesOf(t *testing.T, name string) *rule.Set {
	t.Helper()
	rules, err := rule.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// twins makes the two builds of one program.
type twins struct {
	file   string
	text   []byte
	source *csource.File
	rules  *rule.Set
	module *ir.Module
}

// generate parses the program afresh and makes its mutants.
func (p *twins) generate(t *testing.T) operator.Result {
	t.Helper()
	p.module = parse(t, p.text)
	r := operator.Generate(p.module, operator.Options{Source: p.source, Rules: p.rules})
	for _, f := range p.module.Functions() {
		zeroLocals(p.module.LLVM, f)
	}
	return r
}

// choose draws the mutants to compare, and 0, the original.
func (p *twins) choose(mutants []mutant.Mutant) []int {
	rng := rand.New(rand.NewPCG(1, uint64(len(p.file))))
	var chosen []int
	for _, i := range rng.Perm(len(mutants)) {
		// A moved pointer leads out of its object, to what lies there.
		if len(chosen) < sample && (p.rules == nil || !strings.HasPrefix(mutants[i].Replacer, "P")) {
			chosen = append(chosen, i+1)
		}
	}
	chosen = append(chosen, 0)
	slices.Sort(chosen)
	return chosen
}

func (p *twins) metaMutant(t *testing.T) string {
	t.Helper()
	r := p.generate(t)
	schemata.Build(p.module, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
	text := p.module.String()
	verify(t, p.file, text)
	return link(t, text)
}

// alone builds the chosen mutants as programs of their own within one
// executable, with the meta-mutant's fuel but without its sites.
func (p *twins) alone(t *testing.T, chosen []int) string {
	t.Helper()
	r := p.generate(t)
	var all twin.Gathering
	for _, k := range chosen {
		text := p.module.String()
		if k > 0 {
			var err error
			if text, err = schemata.ApplyText(p.module, &r.Mutants[k-1]); err != nil {
				t.Fatal(err)
			}
		}
		own := parse(t, []byte(text))
		schemata.Build(own, nil, schemata.Options{})
		if err := all.Add(int32(k), own); err != nil {
			t.Fatal(err)
		}
	}
	text := all.String()
	verify(t, p.file, text)
	return link(t, text)
}

// zeroLocals clears every local variable where it is made.
func zeroLocals(m *llir.Module, f *llir.Func) {
	for n, b := range f.Blocks {
		var out, zeros []llir.Instruction
		for _, inst := range b.Insts {
			slot, ok := inst.(*llir.InstAlloca)
			switch {
			case !ok:
				out = append(append(out, zeros...), inst)
				zeros = nil
			case n == 0 && slot.NElems == nil:
				out = append(out, inst)
				zeros = append(zeros, llir.NewStore(constant.NewZeroInitializer(slot.ElemType), slot))
			default:
				out = append(append(out, inst), clearArray(m, slot)...)
			}
		}
		b.Insts = out
	}
}

func clearArray(m *llir.Module, slot *llir.InstAlloca) []llir.Instruction {
	const clearFunction = "winnow_clear"
	var function *llir.Func
	for _, f := range m.Funcs {
		if f.Name() == clearFunction {
			function = f
		}
	}
	if function == nil {
		function = m.NewFunc(clearFunction, types.Void, llir.NewParam("", types.I8Ptr), llir.NewParam("", types.I64))
	}
	array := llir.NewBitCast(slot, types.I8Ptr)
	array.SetName(slot.Name() + ".bytes")
	size := constant.NewPtrToInt(constant.NewGetElementPtr(slot.ElemType, constant.NewNull(types.NewPointer(slot.ElemType)), constant.NewInt(types.I32, 1)), types.I64)
	bytes := llir.NewMul(slot.NElems, size)
	bytes.SetName(slot.Name() + ".size")
	return []llir.Instruction{array, bytes, llir.NewCall(function, array, bytes)}
}

func link(t *testing.T, text string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "program.ll"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	inputs := []string{file, filepath.Join("testdata", "runtime", "driver.c")}
	if err := toolchain(t).Link(context.Background(), out, inputs, append(append([]string{"-O0"}, flags...), "-lm")); err != nil {
		t.Fatal(err)
	}
	return out
}

// behaviour is what a run shows.
type behaviour struct {
	status string // exit status, or minus the signal
	output string // in hexadecimal
}

func (b behaviour) isOutOfFuel() bool { return b.status == outOfFuel }

func run(t *testing.T, program string, selectors []int) map[int]behaviour {
	t.Helper()
	args := make([]string, len(selectors))
	for i, k := range selectors {
		args[i] = strconv.Itoa(k)
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]behaviour{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		k, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) != 3 {
			t.Fatalf("the driver prints %q", line)
		}
		seen[k] = behaviour{fields[1], fields[2]}
	}
	if len(seen) != len(selectors) {
		t.Fatalf("%d of %d runs reported", len(seen), len(selectors))
	}
	return seen
}

// TestApplyTextIsWhatApplyMakesAndCanBeUndone compares it with Apply on a module
// of its own.
func TestApplyTextIsWhatApplyMakesAndCanBeUndone(t *testing.T) {
	for _, file := range programs(t)[:3] {
		p := &twins{file: file, text: compile(t, file), source: syntax(t, file)}
		shared, module := p.generate(t), p.module
		before := map[int]string{}
		for range 2 {
			for k := 3; k < len(shared.Mutants); k += 1 + len(shared.Mutants)/5 {
				text, err := schemata.ApplyText(module, &shared.Mutants[k])
				if err != nil {
					t.Fatal(err)
				}
				if before[k] == "" {
					own := p.generate(t)
					if err := schemata.Apply(p.module, &own.Mutants[k]); err != nil {
						t.Fatal(err)
					}
					before[k] = p.module.String()
				}
				if withoutDeclarations(text) != withoutDeclarations(before[k]) {
					t.Errorf("%s: mutant %d has another text than Apply makes of it", file, k+1)
				}
			}
		}
	}
}

// withoutDeclarations leaves out what a mutant may add to its module for good.
func withoutDeclarations(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "declare ") {
			out.WriteString(line)
		}
	}
	return out.String()
}
