package inputs

import "slices"

// Words is what a program compares with: what it looks for is in its inputs.
type Words struct {
	Numbers    []int64
	Characters []byte
	// Spelled are the characters once more, as often and in the order in which they are
	// compared.
	Spelled []byte
	// Texts are those that functions of the library compare with.
	Texts []string
}

// Program is who reads a stream.
type Program interface {
	// Words are asked for when the first of them may be drawn.
	Words() *Words
}

// mostWords bounds each list: a table of a thousand opcodes is not what a program looks
// for in one input. No program of Codeflaws compares with as many.
const mostWords = 64

// Add notes a constant of a comparison, a character or a number, or both: a program that
// compares with 65 may mean 'A'. What is a number in every input anyway (0, 1, -1) is none
// that a program looks for.
func (w *Words) Add(x int64) {
	if seen(x) {
		w.Characters = addOnce(w.Characters, byte(x))
		if len(w.Spelled) < mostWords {
			w.Spelled = append(w.Spelled, byte(x))
		}
	}
	if x > 1 || x < -1 {
		w.Numbers = addOnce(w.Numbers, x)
	}
}

// AddText notes a text that is compared with.
func (w *Words) AddText(text string) {
	if text != "" {
		w.Texts = addOnce(w.Texts, text)
	}
}

// seen characters leave ink: those of ASCII from '!' to '~'.
func seen(x int64) bool { return x > ' ' && x < 0x7f }

func addOnce[T comparable](list []T, x T) []T {
	if len(list) == mostWords || slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}
