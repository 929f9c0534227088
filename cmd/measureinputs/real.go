package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/inputs"
)

// tally counts what the inputs that there are consist of. An item is a number or a line
// with a word, which is what a program asks for when it reads without knowing how much.
type tally struct {
	inputs int
	items  shares
	// first are the numbers that are the first or the second of an input, others the rest.
	first, others, decimals shares
	words, letters, lines   shares
	programs                shares
}

// shares counts how often something is one of several things.
type shares struct {
	of    int
	names []string
	n     map[string]int
}

func (s *shares) note(name string, is bool) {
	if s.n == nil {
		s.n = map[string]int{}
	}
	if !slices.Contains(s.names, name) {
		s.names = append(s.names, name)
	}
	if is {
		s.n[name]++
	}
}

func newTally() *tally { return &tally{} }

func (t *tally) add(text []byte, words *inputs.Words) {
	t.inputs++
	numbers, items, last := 0, 0, int64(-1)
	for line := range bytes.Lines(text) {
		isText := false
		for _, w := range bytes.Fields(line) {
			word := string(w)
			x, err := strconv.ParseInt(word, 10, 64)
			switch {
			case err == nil:
				t.addNumber(x, numbers < 2, words)
				numbers, items, last = numbers+1, items+1, x
			case isDecimal(word):
				numbers, items = numbers+1, items+1
				t.decimals.of++
				fraction := word[strings.IndexByte(word, '.')+1:]
				t.decimals.note("end in .0 or .5", strings.TrimRight(fraction, "0") == "" || strings.TrimRight(fraction, "0") == "5")
			default:
				isText = true
				t.addWord(word, last, words)
			}
		}
		if isText {
			items++
			t.lines.of++
			t.lines.note("have spaces", bytes.ContainsRune(bytes.TrimSpace(line), ' '))
		}
	}
	t.items.of++
	t.items.note("have at most 24 numbers and lines", items <= 24)
	t.items.note("at most 63", items <= 63)
}

func isDecimal(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil && strings.Contains(word, ".")
}

func (t *tally) addNumber(x int64, first bool, words *inputs.Words) {
	s := &t.others
	if first {
		s = &t.first
	}
	s.of++
	for _, p := range inputs.Profiles() {
		span := p.Values
		if first {
			span = p.Counts
		}
		s.note(fmt.Sprintf("are %v (%s)", span, p.Name), span.Has(x))
	}
	s.note("are within one of a number that the program compares with", slices.ContainsFunc(words.Numbers, func(y int64) bool { return x >= y-1 && x <= y+1 }))
}

func (t *tally) addWord(word string, last int64, words *inputs.Words) {
	s := &t.words
	s.of++
	s.note("have at most 8 letters", len(word) <= 8)
	s.note("at most 31", len(word) <= 31)
	s.note("as many as the last number says", int64(len(word)) == last)
	s.note("are texts that the program compares with", slices.Contains(words.Texts, word))
	for k := range len(word) {
		t.letters.of++
		for _, p := range inputs.Profiles() {
			t.letters.note(fmt.Sprintf("are of %s (%s)", p.Letters, p.Name), strings.IndexByte(p.Letters, word[k]) >= 0)
		}
		t.letters.note("are characters that the program compares with", slices.Contains(words.Characters, word[k]))
	}
}

// addWords counts what a program compares with.
func (t *tally) addWords(w *inputs.Words) {
	t.programs.of++
	for _, list := range []struct {
		name string
		n    int
	}{{"numbers", len(w.Numbers)}, {"characters", len(w.Characters)}, {"texts", len(w.Texts)}} {
		t.programs.note("compare with "+list.name, list.n > 0)
	}
	t.programs.note("with 64 of one of them or more", max(len(w.Numbers), len(w.Characters), len(w.Texts)) >= 64)
}

func (t *tally) print(out io.Writer) {
	fmt.Fprintf(out, "## What inputs are made of\n\n%d inputs.\n\n| of | number | share %% | |\n|---|--:|--:|---|\n", t.inputs)
	for _, row := range []struct {
		name string
		s    *shares
	}{{"inputs", &t.items}, {"first two numbers", &t.first}, {"other numbers", &t.others}, {"decimals", &t.decimals},
		{"words", &t.words}, {"letters of words", &t.letters}, {"lines with words", &t.lines}, {"programs", &t.programs}} {
		for _, name := range row.s.names {
			fmt.Fprintf(out, "| %s | %d | %.2f | %s |\n", row.name, row.s.of, 100*float64(row.s.n[name])/float64(max(row.s.of, 1)), name)
		}
	}
}
