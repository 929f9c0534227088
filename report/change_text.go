package report

import (
	"slices"
	"strings"
)

const (
	// maxChange bounds the text of a change in a table, in characters.
	maxChange = 64
	// margin is how much is kept, in characters, of what original and
	// replacement share around the place where they differ.
	margin = 10
	// mostCompared bounds the search for what two texts have in common.
	mostCompared = 4 * maxChange
)

// ChangeText shows both texts of a change on one line of 64 characters at most. Where that is too short for both, it
// shows the original and the words that differ in the replacement
// (`strspn(text, digits) != strlen(text) + margin → … == …`), or leaves out what they have in common: their
// beginnings and ends, and then what a replacement takes over from the original
// (`push_a… < 0 → (push_a… < 0) - 1`).
func ChangeText(original, replacement string) string {
	const arrow, arrowWidth = " → ", 3
	const room = maxChange - arrowWidth
	a, b := []rune(oneLine(original)), []rune(oneLine(replacement))
	if len(a)+len(b) > room {
		before, after := shared(a, b)
		if words := differing(a, b, before, after); words != nil && len(a)+len(words) <= room {
			return string(a) + arrow + string(words)
		}
		before, after = max(0, before-margin), max(0, after-margin)
		a, b = withoutEnds(a, before, after), withoutEnds(b, before, after)
		a, b = a[:min(len(a), mostCompared)], b[:min(len(b), mostCompared)]
	}
	for len(a)+len(b) > room {
		i, j, n := common(a, b)
		if n <= headLeft+tailLeft+1 {
			break
		}
		a, b = abridged(a, i, n), abridged(b, j, n)
	}
	// One that is short leaves its room to the other.
	most := max(room/2, room-len(b))
	return upTo(a, most) + arrow + upTo(b, max(room/2, room-len(a)))
}

// oneLine keeps a text from breaking the table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// shared returns the lengths of the longest common beginning and end, which do
// not overlap.
func shared(a, b []rune) (before, after int) {
	least := min(len(a), len(b))
	for before < least && a[before] == b[before] {
		before++
	}
	for after < least-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	return before, after
}

// differing are the words of a replacement that are not among the first and last characters, which it has in common
// with the original, with a sign for what is left out; nil where there are none, or nothing is.
func differing(original, text []rune, before, after int) []rune {
	from, to := before, len(text)-after
	isLess := from == to
	wordAt := func(at int) int { // its beginning
		for at > 0 && text[at-1] != ' ' {
			at--
		}
		return at
	}
	from = wordAt(from)
	if operator := wordAt(max(from-1, 0)); from == before && from-operator <= len("<<= ") {
		from = operator // it says what the words are to the rest
	}
	for to < len(text) && text[to] != ' ' {
		to++
	}
	was := original[from : len(original)-(len(text)-to)]
	if from == 0 && to == len(text) || isLess && slices.Contains(was, ' ') { // words have gone, and which cannot be seen
		return nil
	}
	out := slices.Clone(text[from:to])
	if from > 0 {
		out = slices.Concat([]rune{leftOut, ' '}, out)
	}
	if to < len(text) {
		out = append(out, ' ', leftOut)
	}
	return out
}

// leftOut stands for what is not shown.
const leftOut = '…'

// withoutEnds leaves out the first and last characters of a text.
func withoutEnds(text []rune, before, after int) []rune {
	out := slices.Clone(text[before : len(text)-after])
	if before > 0 {
		out = slices.Insert(out, 0, leftOut)
	}
	if after > 0 {
		out = append(out, leftOut)
	}
	return out
}

// common is the longest text that two have in common in which nothing is left out, the first of equally
// long ones: where it begins in each, and its length.
func common(a, b []rune) (i, j, n int) {
	ending := make([]int, len(b)+1) // by the end in b: the length of what ends there and at the place in a
	for x := range a {
		for y := len(b) - 1; y >= 0; y-- {
			ending[y+1] = 0
			if a[x] == b[y] && a[x] != leftOut {
				ending[y+1] = ending[y] + 1
			}
			if ending[y+1] > n {
				n = ending[y+1]
				i, j = x+1-n, y+1-n
			}
		}
	}
	return i, j, n
}

// headLeft and tailLeft are how much of its beginning and end is left of a text that two have in common.
const headLeft, tailLeft = 6, 4

// abridged leaves out the middle of n characters from the i-th on.
func abridged(text []rune, i, n int) []rune {
	return slices.Concat(text[:i+headLeft], []rune{leftOut}, text[i+n-tailLeft:])
}

// upTo leaves out what is longer than so many characters.
func upTo(text []rune, most int) string {
	if len(text) > most {
		return string(text[:most-1]) + string(leftOut)
	}
	return string(text)
}
