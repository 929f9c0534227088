package inputs_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/internal/golden"
)

func TestTheManualOfInputsIsWrittenFromTheTables(t *testing.T) {
	golden.Check(t, "../docs/inputs.md", manual())
}

func manual() []byte {
	var out bytes.Buffer
	out.WriteString(`# Inputs

What winnow makes up for a program that it follows without a test: the features of
[trials](features.md) rest on it. Written by ` + "`make golden`" + ` from the tables of package
inputs; how real inputs are beside it, and what is reached, is in
[results](results/inputs.md).

What the program asks for chooses the form of an input, and the input's number the
profile by which it is filled in.
`)
	for _, c := range inputs.Channels() {
		fmt.Fprintf(&out, "\n## Forms of %s\n\nThat is %s.\n\n| form | asked for by what | it is |\n|---|---|---|\n", c.Name, c.Doc)
		for _, f := range c.Forms {
			asks := f.Asks
			if len(f.Calls) > 0 {
				asks += ": `" + strings.Join(f.Calls, "`, `") + "`"
			}
			if f.Conversions != "" {
				asks += ", `scanf` with `" + strings.Join(strings.Split(f.Conversions, ""), "` `") + "`"
			}
			fmt.Fprintf(&out, "| %s | %s | %s |\n", f.Name, asks, f.Doc)
		}
	}
	out.WriteString("\n## Profiles\n\nCorners are marked with †.\n\n| profile | it has | first two numbers | others | numbers of a state | letters |\n|---|---|--:|--:|--:|---|\n")
	for _, p := range inputs.Profiles() {
		name := p.Name
		if p.Corner {
			name += " †"
		}
		fmt.Fprintf(&out, "| %s | %s | %v | %v | %v | `%s` |\n", name, p.Doc, p.Counts, p.Values, p.Held, p.Letters)
	}
	return out.Bytes()
}

func TestEveryFormIsAskedForByOneThing(t *testing.T) {
	names, calls, letters := map[string]bool{}, map[string]string{}, map[rune]string{}
	for _, c := range inputs.Channels() {
		if c.Name == "" || c.Doc == "" || names[c.Name] {
			t.Errorf("channel %q has no name of its own, or no doc", c.Name)
		}
		names[c.Name] = true
		for _, f := range c.Forms {
			if f.Name == "" || f.Doc == "" || f.Asks == "" || names[f.Name] {
				t.Errorf("form %q has no name of its own, no doc, or nobody asks for it", f.Name)
			}
			names[f.Name] = true
			for _, call := range f.Calls {
				if calls[call] != "" {
					t.Errorf("%s asks for %s and %s", call, calls[call], f.Name)
				}
				calls[call] = f.Name
			}
			for _, letter := range f.Conversions {
				if letters[letter] != "" {
					t.Errorf("%%%c asks for %s and %s", letter, letters[letter], f.Name)
				}
				letters[letter] = f.Name
			}
		}
	}
	for letter, form := range letters {
		if got := inputs.Conversion(byte(letter), false); got.Name != form {
			t.Errorf("%%%c gives a %s, not a %s", letter, got.Name, form)
		}
	}
	if inputs.Conversion('c', true) != inputs.Visible || inputs.Conversion('d', true) != inputs.Number {
		t.Error("spaces before a conversion make other characters, and no other numbers")
	}
}

func TestEveryProfileIsDescribedAndItsSpansAreWhatTheySay(t *testing.T) {
	names := map[string]bool{}
	for k, p := range inputs.Profiles() {
		if p.Name == "" || p.Doc == "" || p.Letters == "" || names[p.Name] {
			t.Errorf("profile %d has no name of its own, no doc or no letters", k)
		}
		names[p.Name] = true
		if inputs.Corner(uint64(k)) != p.Corner || inputs.Corner(uint64(k+8)) != p.Corner {
			t.Errorf("seed %d is not of profile %s", k, p.Name)
		}
		for _, s := range []inputs.Span{p.Counts, p.Values, p.Held} {
			if last := s.Least + int64(s.Count) - 1; s.Has(s.Least-1) || !s.Has(s.Least) || !s.Has(last) || s.Has(last+1) {
				t.Errorf("%v does not end where it says", s)
			}
		}
	}
}

// FuzzState holds what is drawn by a key to what the forms promise.
func FuzzState(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint64(1)<<40+seed)
	}
	f.Fuzz(func(t *testing.T, seed, key uint64) {
		p := inputs.Profiles()[seed%8]
		x := inputs.Integer.Of(seed, key)
		if !p.Held.Has(x) || x != inputs.Integer.Of(seed, key) {
			t.Errorf("%d is not of %v, or another when it is asked for again", x, p.Held)
		}
		if b := inputs.Byte.Of(seed, key); p.Corner && b != x || !p.Corner && (b < ' ' || b > '~') {
			t.Errorf("%d is no byte", b)
		}
		if b := inputs.Truth.Of(seed, key); b != x&1 {
			t.Errorf("%d is not the last bit of %d", b, x)
		}
		if f := inputs.Real.Of(seed, key); f != float64(x) && (p.Corner || f != float64(x)+.5) {
			t.Errorf("%g is not near %d", f, x)
		}
		if at := inputs.Address.Of(seed, key); at != 0 && (at < 1<<24 || at >= 1<<25 || at%1024 != 0) || (at == 0) != (seed%8 == 0) {
			t.Errorf("%d is no address", at)
		}
	})
}

// The numbers of a corner are all the same or near zero, those of a typical profile are
// many.
func TestCornersHaveFewNumbers(t *testing.T) {
	for seed := range uint64(16) {
		seen := map[int64]bool{}
		for key := range uint64(400) {
			seen[inputs.Integer.Of(seed, key)] = true
		}
		if inputs.Corner(seed) != (len(seen) <= 4) {
			t.Errorf("seed %d is a corner: %v, of %d numbers", seed, inputs.Corner(seed), len(seen))
		}
	}
}

func TestWordsAreListedOnceAndWithinBounds(t *testing.T) {
	var w inputs.Words
	for x := range int64(300) {
		w.Add(x)
		w.Add(x)
		w.AddText(fmt.Sprint("t", x))
	}
	w.AddText("")
	if len(w.Numbers) != 64 || w.Numbers[0] != 2 || len(w.Characters) != 64 || w.Characters[0] != '!' || len(w.Texts) != 64 {
		t.Errorf("%d numbers from %d, %d characters from %q, %d texts", len(w.Numbers), w.Numbers[0], len(w.Characters), w.Characters[0], len(w.Texts))
	}
	if len(w.Spelled) != 64 || w.Spelled[0] != '!' || w.Spelled[1] != '!' {
		t.Errorf("spelled are %q", w.Spelled)
	}
}
