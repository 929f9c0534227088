package grammar_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/inputs/grammar"
	"github.com/winnow-mutants/winnow/internal/golden"
)

// A contest is a grammar as a person would state it: makes draws an input, valid
// says whether one keeps to it. The package knows neither.
type contest struct {
	name  string
	makes func(r *rand.Rand) string
	valid func(lines [][]string) error
	// varied are numbers and lengths of which the new inputs must have several
	// values, by a measure of the input.
	varied func(lines [][]string) int
}

func rows(text string) [][]string {
	var out [][]string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		out = append(out, strings.Fields(line))
	}
	return out
}

// ints reads a line of n numbers between two bounds; n < 0 is any number.
func ints(line []string, n int, least, most int) ([]int, error) {
	if n >= 0 && len(line) != n {
		return nil, fmt.Errorf("line %q has %d words, want %d", line, len(line), n)
	}
	var out []int
	for _, w := range line {
		v, err := strconv.Atoi(w)
		if err != nil || v < least || v > most {
			return nil, fmt.Errorf("%q is no number from %d to %d", w, least, most)
		}
		out = append(out, v)
	}
	return out, nil
}

func list(r *rand.Rand, n, least, most int) string {
	var words []string
	for range n {
		words = append(words, strconv.Itoa(least+r.IntN(most-least+1)))
	}
	return strings.Join(words, " ")
}

func wordOf(r *rand.Rand, n int, letters string) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[r.IntN(len(letters))]
	}
	return string(text)
}

var contests = []contest{
	{"a list after its length", func(r *rand.Rand) string {
		n := 1 + r.IntN(9)
		return fmt.Sprintf("%d\n%s\n", n, list(r, n, -50, 50))
	}, func(l [][]string) error {
		head, err := ints(l[0], 1, 1, 9)
		if err == nil && len(l) == 2 {
			_, err = ints(l[1], head[0], -50, 50)
		}
		return err
	}, func(l [][]string) int { return len(l[1]) }},

	{"a word after its length and a bound", func(r *rand.Rand) string {
		n := 2 + r.IntN(12)
		return fmt.Sprintf("%d %d\n%s\n", n, 1+r.IntN(n), wordOf(r, n, "abc"))
	}, func(l [][]string) error {
		head, err := ints(l[0], 2, 1, 13)
		if err == nil && (head[1] > head[0] || len(l[1]) != 1 || len(l[1][0]) != head[0] || strings.Trim(l[1][0], "abc") != "") {
			err = fmt.Errorf("%v", l)
		}
		return err
	}, func(l [][]string) int { return len(l[1][0]) }},

	{"a table of letters", func(r *rand.Rand) string {
		n, m := 1+r.IntN(6), 2+r.IntN(5)
		out := fmt.Sprintf("%d %d\n", n, m)
		for range n {
			out += wordOf(r, m, ".#") + "\n"
		}
		return out
	}, func(l [][]string) error {
		head, err := ints(l[0], 2, 1, 6)
		if err == nil && len(l)-1 != head[0] {
			err = fmt.Errorf("%d lines", len(l))
		}
		for _, row := range l[1:] {
			if err == nil && (len(row) != 1 || len(row[0]) != head[1] || strings.Trim(row[0], ".#") != "") {
				err = fmt.Errorf("row %v", row)
			}
		}
		return err
	}, func(l [][]string) int { return len(l) }},

	{"queries of a list", func(r *rand.Rand) string {
		n, q := 2+r.IntN(8), 1+r.IntN(6)
		out := fmt.Sprintf("%d %d\n%s\n", n, q, list(r, n, 0, 100))
		for range q {
			a := 1 + r.IntN(n)
			out += fmt.Sprintf("%d %d\n", a, a+r.IntN(n-a+1))
		}
		return out
	}, func(l [][]string) error {
		head, err := ints(l[0], 2, 1, 9)
		if err == nil {
			_, err = ints(l[1], head[0], 0, 100)
		}
		if err == nil && len(l)-2 != head[1] {
			err = fmt.Errorf("%d queries, %d announced", len(l)-2, head[1])
		}
		for _, row := range l[2:] {
			if err != nil {
				break
			}
			var query []int
			if query, err = ints(row, 2, 1, head[0]); err == nil && query[0] > query[1] {
				err = fmt.Errorf("query %v", query)
			}
		}
		return err
	}, func(l [][]string) int { return len(l) }},

	{"a tree, one edge less than nodes", func(r *rand.Rand) string {
		n := 2 + r.IntN(8)
		out := fmt.Sprintf("%d\n", n)
		for k := 2; k <= n; k++ {
			out += fmt.Sprintf("%d %d\n", 1+r.IntN(k-1), k)
		}
		return out
	}, func(l [][]string) error {
		head, err := ints(l[0], 1, 2, 9)
		if err == nil && len(l) != head[0] {
			err = fmt.Errorf("%d edges of %d nodes", len(l)-1, head[0])
		}
		for _, row := range l[1:] {
			if err == nil {
				var edge []int
				if edge, err = ints(row, 2, 1, head[0]); err == nil && edge[0] >= edge[1] {
					err = fmt.Errorf("edge %v", edge)
				}
			}
		}
		return err
	}, func(l [][]string) int { return len(l) }},

	{"cases, each a length and a list", func(r *rand.Rand) string {
		cases := 1 + r.IntN(4)
		out := fmt.Sprintf("%d\n", cases)
		for range cases {
			n := 1 + r.IntN(5)
			out += fmt.Sprintf("%d\n%s\n", n, list(r, n, 1, 9))
		}
		return out
	}, func(l [][]string) error {
		head, err := ints(l[0], 1, 1, 4)
		if err == nil && len(l) != 1+2*head[0] {
			err = fmt.Errorf("%d lines of %d cases", len(l), head[0])
		}
		for k := 1; err == nil && k < len(l); k += 2 {
			var n []int
			if n, err = ints(l[k], 1, 1, 5); err == nil {
				_, err = ints(l[k+1], n[0], 1, 9)
			}
		}
		return err
	}, func(l [][]string) int { return len(l[2]) }},

	{"commands", func(r *rand.Rand) string {
		n := 3 + r.IntN(6)
		out := fmt.Sprintf("%d\n", n)
		for range n {
			out += []string{"push", "drop", "show"}[r.IntN(3)] + " " + strconv.Itoa(r.IntN(30)) + "\n"
		}
		return out
	}, func(l [][]string) error {
		head, err := ints(l[0], 1, 3, 8)
		if err == nil && len(l)-1 != head[0] {
			err = fmt.Errorf("%d commands", len(l)-1)
		}
		for _, row := range l[1:] {
			if err == nil && !slices.Contains([]string{"push", "drop", "show"}, row[0]) {
				err = fmt.Errorf("command %q", row[0])
			}
			if err == nil {
				_, err = ints(row[1:], 1, 0, 29)
			}
		}
		return err
	}, func(l [][]string) int { return len(l) }},

	{"a permutation", func(r *rand.Rand) string {
		n := 3 + r.IntN(6)
		var words []string
		for _, v := range r.Perm(n) {
			words = append(words, strconv.Itoa(v+1))
		}
		return fmt.Sprintf("%d\n%s\n", n, strings.Join(words, " "))
	}, func(l [][]string) error {
		head, err := ints(l[0], 1, 3, 8)
		if err != nil {
			return err
		}
		values, err := ints(l[1], head[0], 1, head[0])
		slices.Sort(values)
		if err == nil && len(slices.Compact(values)) != head[0] {
			err = fmt.Errorf("not a permutation: %v", l[1])
		}
		return err
	}, func(l [][]string) int { return len(l[1]) }},

	{"two lists after their lengths", func(r *rand.Rand) string {
		n, m := 1+r.IntN(5), 1+r.IntN(5)
		out := strconv.Itoa(n) + "\n"
		for range n {
			out += wordOf(r, 3, "xyz") + "\n"
		}
		out += strconv.Itoa(m) + "\n"
		for range m {
			out += list(r, 2, 0, 9) + "\n"
		}
		return out
	}, func(l [][]string) error {
		head, err := ints(l[0], 1, 1, 5)
		if err != nil || len(l) < head[0]+2 {
			return fmt.Errorf("%v %v", l, err)
		}
		for _, row := range l[1 : 1+head[0]] {
			if len(row) != 1 || strings.Trim(row[0], "xyz") != "" || len(row[0]) != 3 {
				return fmt.Errorf("word %v", row)
			}
		}
		second, err := ints(l[1+head[0]], 1, 1, 5)
		if err == nil && len(l) != 2+head[0]+second[0] {
			err = fmt.Errorf("%d lines", len(l))
		}
		for _, row := range l[2+head[0]:] {
			if err == nil {
				_, err = ints(row, 2, 0, 9)
			}
		}
		return err
	}, func(l [][]string) int { return len(l) }},

	{"a list that says its own length", func(r *rand.Rand) string {
		n := 1 + r.IntN(6)
		return strings.TrimSpace(fmt.Sprintf("%d %s", n, list(r, n, 0, 9))) + "\n" + list(r, 1, 1, 40) + ".25\n"
	}, func(l [][]string) error {
		_, err := ints(l[0], -1, 0, 9)
		if n, _ := strconv.Atoi(l[0][0]); err == nil && n != len(l[0])-1 {
			err = fmt.Errorf("%v", l[0])
		}
		if v, bad := strconv.ParseFloat(l[1][0], 64); err == nil && (bad != nil || v < 1 || v > 40.25 || len(l[1]) != 1) {
			err = fmt.Errorf("%v", l[1])
		}
		return err
	}, func(l [][]string) int { return len(l[0]) }},
}

func (c *contest) inputs(seed uint64, n int) [][]byte {
	r := rand.New(rand.NewPCG(seed, 7))
	var out [][]byte
	for range n {
		out = append(out, []byte(c.makes(r)))
	}
	return out
}

func take(g *grammar.Grammar, seed uint64, n int) []grammar.Input {
	var out []grammar.Input
	for in := range g.Inputs(seed, "test") {
		if out = append(out, in); len(out) == n {
			break
		}
	}
	return out
}

// What a person would say of the inputs holds of the new ones as well, although
// the package has only seen forty of them.
func TestNewInputsKeepToAGrammarThatNobodyTold(t *testing.T) {
	for _, c := range contests {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(5) {
				pool := c.inputs(seed, 40)
				g := grammar.Infer(pool)
				made := take(g, seed, 200)
				if len(made) < 100 {
					t.Fatalf("seed %d: only %d inputs", seed, len(made))
				}
				sizes := map[int]bool{}
				for _, in := range made {
					l := rows(string(in.Data))
					if err := c.valid(l); err != nil {
						t.Fatalf("seed %d: %v (by %v from %q):\n%s", seed, err, in.Mutators, pool[in.From], in.Data)
					}
					sizes[c.varied(l)] = true
				}
				if len(sizes) < 3 {
					t.Errorf("seed %d: only the sizes %v: lengths do not vary", seed, sizes)
				}
			}
		})
	}
}

func TestTheSameSeedMakesTheSameInputsAndAnotherSeedOthers(t *testing.T) {
	for _, c := range contests {
		pool := c.inputs(3, 30)
		show := func(seed uint64) string {
			var out []string
			for _, in := range take(grammar.Infer(pool), seed, 40) {
				out = append(out, fmt.Sprintf("%d %v %q", in.From, in.Mutators, in.Data))
			}
			return strings.Join(out, "\n")
		}
		if show(1) != show(1) {
			t.Errorf("%s: the same seed made others", c.name)
		}
		if show(1) == show(2) {
			t.Errorf("%s: the seed does not matter", c.name)
		}
	}
}

func TestNoInputIsMadeTwiceOrWasThereBefore(t *testing.T) {
	for _, c := range contests {
		pool := c.inputs(4, 30)
		seen := map[string]bool{}
		for _, in := range pool {
			seen[string(in)] = true
		}
		for _, in := range take(grammar.Infer(pool), 1, 150) {
			if seen[string(in.Data)] {
				t.Fatalf("%s: %q again", c.name, in.Data)
			}
			seen[string(in.Data)] = true
		}
	}
}

func TestAGrammarAcceptsWhatItWasInferredFromAndNoBrokenCount(t *testing.T) {
	for _, c := range contests {
		pool := c.inputs(5, 40)
		g := grammar.Infer(pool)
		for _, in := range pool {
			if !g.Accepts(in) {
				t.Fatalf("%s: refused its own %q", c.name, in)
			}
		}
		for _, in := range pool[:10] {
			if longer := string(in) + "1 1\n"; g.Accepts([]byte(longer)) {
				t.Errorf("%s: accepted a line too many: %q", c.name, longer)
			}
		}
	}
}

func TestLengthsThatNothingExplainsStay(t *testing.T) {
	// The length of the list hangs on both numbers; neither may change alone.
	var pool [][]byte
	r := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		n, m := 2+r.IntN(4), 2+r.IntN(4)
		pool = append(pool, fmt.Appendf(nil, "%d %d\n%s\n", n, m, list(r, n*m, 0, 99)))
	}
	for _, in := range take(grammar.Infer(pool), 1, 100) {
		l := rows(string(in.Data))
		head, err := ints(l[0], 2, 2, 5)
		if err != nil || len(l[1]) != head[0]*head[1] {
			t.Fatalf("%q by %v: %v", in.Data, in.Mutators, err)
		}
	}
}

func TestInputsOfNoUseMakeNothing(t *testing.T) {
	for _, pool := range [][][]byte{nil, {nil}, {[]byte("\n\n")}, {[]byte(strings.Repeat("1 ", 1<<16))}, {[]byte("7\n")}} {
		if made := take(grammar.Infer(pool), 1, 3); len(made) != 0 {
			t.Errorf("%d inputs from %d inputs of no use", len(made), len(pool))
		}
	}
}

func TestTheMutatorsAreThoseThatAreDocumented(t *testing.T) {
	used := map[string]bool{}
	for _, c := range contests {
		for _, in := range take(grammar.Infer(c.inputs(6, 40)), 1, 100) {
			for _, name := range in.Mutators {
				used[name] = true
			}
		}
	}
	for _, m := range grammar.Mutators() {
		if m.Name == "" || m.Doc == "" || !used[m.Name] {
			t.Errorf("mutator %+v has no name, no doc, or made nothing", m)
		}
		delete(used, m.Name)
	}
	if len(used) > 0 {
		t.Errorf("mutators that are not listed: %v", used)
	}
}

func TestNewInputsOfAnExample(t *testing.T) {
	pool := [][]byte{
		[]byte("3 2\n5 1 4\n1 2\n2 3\n"), []byte("1 1\n7\n1 1\n"), []byte("5 3\n9 8 1 2 2\n1 5\n2 2\n4 5\n"),
		[]byte("4 1\n0 6 3 3\n3 4\n"), []byte("2 2\n4 4\n1 2\n1 1\n"),
	}
	var out []byte
	for _, in := range take(grammar.Infer(pool), 1, 12) {
		out = fmt.Appendf(out, "from %d by %s\n%s\n", in.From, strings.Join(in.Mutators, ", "), in.Data)
	}
	golden.Check(t, "testdata/queries.golden", out)
}

// Whatever the inputs are, what comes out has their grammar and repeats itself.
func FuzzInputs(f *testing.F) {
	f.Add([]byte("3\n1 2 3\n"), []byte("2\n5 6\n"), uint64(1))
	f.Add([]byte("2 2\n..\n##\n"), []byte("1 3\n#.#\n"), uint64(2))
	f.Add([]byte("x\r\n\r\n-1.50 2\r\n"), []byte("yy\r\n\r\n3.25 1"), uint64(3))
	f.Add([]byte("1\na\n0\n"), []byte("0\n\n"), uint64(4))
	f.Fuzz(func(t *testing.T, a, b []byte, seed uint64) {
		pool := [][]byte{a, b}
		g := grammar.Infer(pool)
		if g == nil {
			return
		}
		made := take(g, seed, 10)
		for _, in := range made {
			if !g.Accepts(in.Data) {
				t.Errorf("%q is not of the grammar of %q", in.Data, pool)
			}
			if string(in.Data) == string(a) || string(in.Data) == string(b) {
				t.Errorf("%q was there before", in.Data)
			}
		}
		if again := take(grammar.Infer(pool), seed, 10); len(again) != len(made) {
			t.Errorf("%d inputs, then %d", len(made), len(again))
		}
	})
}
