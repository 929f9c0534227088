package variation

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var examples = []Test{
	{Input: []byte("add 5\nadd 7\nrange 1 9\n")},
	{Input: []byte("add 3\nlast\n"), Args: []string{"-n", "4"}},
}

func some(g *Generator, n int) (out []Test) {
	for range n {
		t, ok := g.Next()
		if !ok {
			break
		}
		out = append(out, t)
	}
	return out
}

func TestVariationsAreNewAndTheSameForASeed(t *testing.T) {
	first, again := some(New(examples, nil, 1, "p"), 500), some(New(examples, nil, 1, "p"), 500)
	if len(first) != 500 {
		t.Fatalf("%d variations", len(first))
	}
	seen := map[string]bool{}
	for _, e := range examples {
		seen[string(e.Input)+"|"+joined(e.Args)] = true
	}
	for i, v := range first {
		if !bytes.Equal(v.Input, again[i].Input) || !slices.Equal(v.Args, again[i].Args) {
			t.Fatalf("%d: %q and %q", i, v.Input, again[i].Input)
		}
		key := string(v.Input) + "|" + joined(v.Args)
		if seen[key] {
			t.Errorf("%q comes twice", key)
		}
		seen[key] = true
		if v.From < 0 || v.From >= len(examples) || len(v.Input) > mostBytes {
			t.Errorf("%+v", v)
		}
	}
	if other := some(New(examples, nil, 2, "p"), 1); bytes.Equal(other[0].Input, first[0].Input) {
		t.Error("another seed gives the same")
	}
}

// What a tester would try by hand is among a thousand variations.
func TestWhatATesterWouldTryIsAmongThem(t *testing.T) {
	words := WordsOf([]byte(`if (strcmp(command, "ceiling") == 0 && value < 100) printf("%d: bad number\n", 'x');`))
	for _, want := range []string{"ceiling", "100", "99", "101", "bad", "number", "x"} {
		if !slices.Contains(words, want) {
			t.Errorf("the source's words %q have no %q", words, want)
		}
	}
	var all []string
	for _, v := range some(New(examples, words, 1, "p"), 3000) {
		all = append(all, string(v.Input)+"|"+joined(v.Args))
	}
	for what, want := range map[string]string{
		"a line less": "add 5\nrange 1 9\n|", "an end before the end": "add 5\n|", "a bound moved by one": "add 5\nadd 7\nrange 1 8\n|",
		"a command that the source names": "ceiling", "a number that the source names": "add 99\n", "an argument less": "add 3\nlast\n|4\n",
		"a negative number": "add -5\n", "a missing number": "add \n", "a line twice": "add 5\nadd 5\n",
		"a character that is negative as a char": "é",
	} {
		if !slices.ContainsFunc(all, func(v string) bool { return strings.Contains(v, want) }) {
			t.Errorf("%s: no variation has %q", what, want)
		}
	}
}

func TestOfNothingNothingIsMade(t *testing.T) {
	if v, ok := New([]Test{{}}, nil, 1, "p").Next(); ok {
		t.Errorf("%+v", v)
	}
}

// The largest numbers that there are have others in their place, too.
func TestNumbersOfAllSizesAreVaried(t *testing.T) {
	for _, x := range []int64{math.MaxInt64, math.MinInt64, math.MinInt64 + 1, math.MaxInt64 / 2} {
		if got := some(New([]Test{{Input: strconv.AppendInt(nil, x, 10)}}, nil, 1, "p"), 300); len(got) != 300 {
			t.Errorf("%d variations of %d", len(got), x)
		}
	}
}

// What was of use is varied in turn.
func TestWhatIsAddedIsVaried(t *testing.T) {
	g := New(examples[:1], nil, 1, "p")
	g.Add(Test{Input: []byte("zebra\n")})
	if !slices.ContainsFunc(some(g, 100), func(v Test) bool { return bytes.Contains(v.Input, []byte("zebr")) }) {
		t.Error("none has it")
	}
}

func FuzzVariations(f *testing.F) {
	f.Add([]byte("add 5\nx\n"), "-n", []byte(`"a%d\n" 'c' 99999999999999999999`))
	f.Add([]byte{0}, "0", []byte("0")) // a word of what is read is no argument as it is
	f.Fuzz(func(t *testing.T, input []byte, arg string, source []byte) {
		g := New([]Test{{Input: input, Args: []string{arg}}}, WordsOf(source), 1, "p")
		for _, v := range some(g, 20) {
			if len(v.Input) > mostBytes || slices.ContainsFunc(v.Args, func(a string) bool { return strings.ContainsRune(a, 0) && !strings.ContainsRune(arg, 0) }) {
				t.Errorf("%q %q", v.Input, v.Args)
			}
			g.Add(v)
		}
	})
}
