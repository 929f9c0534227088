package schemata_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

func TestTheProbingBuildsOfEveryProgramAreWellFormed(t *testing.T) {
	type build func(*ir.Module, []mutant.Mutant, schemata.ProbeOptions)
	all := []schemata.ProbeOptions{{Define: true}, {Define: true, Counts: true}, {StandAlone: true}, {Define: true, StandAlone: true}}
	for n, file := range programs(t) {
		text := compile(t, file)
		for what, make := range map[string]build{"probe": schemata.Probe, "cover": schemata.Cover} {
			for _, opts := range []schemata.ProbeOptions{all[n%4], all[(n+1)%4]} {
				m := parse(t, text)
				r := operator.Generate(m, operator.Options{Source: syntax(t, file)})
				opts.Sites, opts.Mutants = r.Sites, len(r.Mutants)
				make(m, r.Mutants, opts)
				verify(t, file+" "+what, m.String())
			}
		}
	}
}

// Mart's rules divide truth values of one bit, of which the only negative number is
// true.
func TestTheProbingBuildOfTruthValuesThatAreDividedIsWellFormed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "truth.c")
	source := `int main(int count, char **arguments) {
  _Bool less = count < 3, same = count == 2;
  _Bool both = less && same;
  return both;
}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	m := parse(t, compile(t, file))
	made := operator.Generate(m, operator.Options{Source: syntax(t, file), Rules: rulesOf(t, "mart816")})
	schemata.Probe(m, made.Mutants, schemata.ProbeOptions{Define: true, Sites: made.Sites, Mutants: len(made.Mutants)})
	text := m.String()
	if !strings.Contains(text, "icmp eq i1 ") {
		t.Error("no truth value is divided: this test tries nothing")
	}
	verify(t, "truth values, probe", text)
}

func TestProbeTextIsThatOfProbeAndLeavesTheModuleAsItWas(t *testing.T) {
	for _, file := range programs(t)[:4] {
		text := compile(t, file)
		generate := func() (*ir.Module, operator.Result) {
			m := parse(t, text)
			return m, operator.Generate(m, operator.Options{})
		}
		m, r := generate()
		opts := schemata.ProbeOptions{Sites: r.Sites, Mutants: len(r.Mutants), Define: true}
		for _, f := range m.Functions() {
			ir.NameLocals(f)
		}
		before := m.String()
		got := schemata.ProbeText(m, r.Mutants, opts)
		if m.String() != before {
			t.Errorf("%s: the module has changed", file)
		}
		if schemata.CoverText(m, r.Mutants, opts) == got {
			t.Errorf("%s: the coverage build is the probing build", file)
		}
		if again := schemata.ProbeText(m, r.Mutants, opts); again != got {
			t.Errorf("%s: the second text differs from the first", file)
		}
		own, mutants := generate()
		schemata.Probe(own, mutants.Mutants, opts)
		if own.String() != got {
			t.Errorf("%s: the text differs from that of Probe", file)
		}
	}
}

// TestTheWrittenMetaMutantIsTheOneBuilt compares Write with its slow twin, which
// rebuilds the whole module. What the functions need of globals comes last.
func TestTheWrittenMetaMutantIsTheOneBuilt(t *testing.T) {
	moved := 0
	for _, file := range programs(t) {
		text := compile(t, file)
		generate := func() (*ir.Module, operator.Result) {
			m := parse(t, text)
			return m, operator.Generate(m, operator.Options{})
		}
		m, r := generate()
		opts := schemata.Options{Sites: r.Sites, Define: true}
		before := m.String()
		var first, second strings.Builder
		for _, to := range []*strings.Builder{&first, &second} {
			if err := schemata.Write(to, m, r.Mutants, opts); err != nil {
				t.Fatal(err)
			}
			if m.String() != before {
				t.Errorf("%s: the module has changed", file)
			}
		}
		own, made := generate()
		schemata.Build(own, made.Mutants, opts)
		const zero = "@winnow_zero = internal global i64 0\n"
		want, got := own.String(), first.String()
		if strings.Contains(want, zero) {
			moved++
		}
		if !equalButForBlankLines(got, want, zero) {
			t.Errorf("%s: the text differs from that of Build", file)
		}
		if second.String() != got {
			t.Errorf("%s: the second text differs from the first", file)
		}
		verify(t, file, got)
	}
	if moved == 0 {
		t.Error("no program divides by 0: where that is declared is not shown")
	}
}

// equalButForBlankLines compares texts without a line, and without blank ones.
func equalButForBlankLines(a, b, without string) bool {
	plain := func(text string) string {
		text = strings.Replace(text, without, "", 1)
		for strings.Contains(text, "\n\n") {
			text = strings.ReplaceAll(text, "\n\n", "\n")
		}
		return text
	}
	return plain(a) == plain(b)
}
