package features

import (
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/features/ngram"
)

var corpus = Family{
	Name: "corpus",
	Doc: "How usual the line is with and without the change, by a model of three tokens trained on zlib, Lua and SQLite (features/ngram). " +
		"Names and numbers count as classes. Missing where there is no C source.",
	Columns: []Column{
		{Name: "corpus_line_original", Unit: "bits per token", Source: "own", Beyond: Lines, Doc: "cross-entropy of the line; of the original text alone where that is not within one line"},
		{Name: "corpus_line_mutated", Unit: "bits per token", Source: "own", Beyond: Lines, Doc: "cross-entropy of the line with the change"},
		{Name: "corpus_line_difference", Unit: "bits per token", Source: "own", Beyond: Lines, Doc: "the second less the first: how much less usual the mutant is"},
		{Name: "corpus_surprise_original", Unit: "bits", Source: "own", Beyond: Lines, Doc: "surprise of the most surprising token that is taken out"},
		{Name: "corpus_surprise_mutated", Unit: "bits", Source: "own", Beyond: Lines, Doc: "surprise of the most surprising token that is put in"},
	},
	Requires: []Requirement{sourceLines},
	PerMutant: func(m *mutation, row []float64) {
		missing(row)
		if m.owner().inputs.source == nil {
			return
		}
		out, in := ngram.Tokens(m.Identity.Original), ngram.Tokens(m.Identity.Replacement)
		line, starts := ngram.Scan(textOfLine(m))
		at := placeIn(line, starts, out, m.Column-1)
		if at < 0 {
			line, at = out, 0
		}
		mutated := slices.Concat(line[:at], in, line[at+len(out):])
		row[0], row[3] = usualness(line, at, out, in)
		row[1], row[4] = usualness(mutated, at, in, out)
		row[2] = row[1] - row[0]
	},
}

// textOfLine is the text of a mutant's line, "" where it is not known.
func textOfLine(m *mutation) string {
	lines := sourceLines.of(m.owner())[m.File]
	if m.Line < 1 || m.Line > len(lines) {
		return ""
	}
	return string(lines[m.Line-1])
}

// placeIn finds the tokens of a change in those of a line: where they stand around
// a byte of the line, else nearest to it. -1 says that they are not there.
func placeIn(line []ngram.Token, starts []int, change []ngram.Token, column int) int {
	best, distance := -1, math.MaxInt
	for at := 0; len(change) > 0 && at+len(change) <= len(line); at++ {
		if !slices.Equal(line[at:at+len(change)], change) {
			continue
		}
		first, last := starts[at], starts[at+len(change)-1]
		if d := max(first-column, column-last, 0); d < distance {
			best, distance = at, d
		}
	}
	return best
}

// usualness is the mean surprise of a line's tokens, and the greatest of those that
// a change puts there, at a place: tokens that it has in common with the other text
// at both ends are no part of it, unless all of them are.
func usualness(line []ngram.Token, at int, text, other []ngram.Token) (mean, greatest float64) {
	if len(line) == 0 {
		return math.NaN(), math.NaN()
	}
	from, to := 0, len(text)
	for from < min(len(text), len(other)) && text[from] == other[from] {
		from++
	}
	for k := 1; to > from && len(other)-k >= from && text[to-1] == other[len(other)-k]; k++ {
		to--
	}
	if from == to {
		from, to = 0, len(text)
	}
	greatest = math.NaN()
	for k, bits := range ngram.Corpus().Surprise(nil, line) {
		mean += bits
		if k >= at+from && k < at+to && !(bits <= greatest) {
			greatest = bits
		}
	}
	return mean / float64(len(line)), greatest
}
