package inputs_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/internal/golden"
)

// vocabulary is a program that compares with some words, and reads.
type vocabulary struct{ w inputs.Words }

func (v *vocabulary) Words() *inputs.Words { return &v.w }

// compares makes one of numbers and texts.
func compares(numbers []byte, texts ...string) *vocabulary {
	v := &vocabulary{}
	for _, x := range numbers {
		v.w.Add(int64(x) - 20)
	}
	for _, text := range texts {
		v.w.AddText(text)
	}
	return v
}

var forms = []*inputs.Reading{inputs.Number, inputs.Decimal, inputs.Character, inputs.Visible, inputs.Word, inputs.Line}

// asked is what one reading gave.
type asked struct {
	form *inputs.Reading
	item inputs.Item
}

func (a asked) String() string {
	switch a.form {
	case inputs.Number:
		return fmt.Sprint(a.item.Number)
	case inputs.Decimal:
		return fmt.Sprint(a.item.Decimal)
	case inputs.Word, inputs.Line:
		return fmt.Sprintf("%q", a.item.Text)
	}
	return fmt.Sprintf("%q", rune(a.item.Number))
}

// asks reads forms by a script, one a byte, until the end of the input.
func asks(s *inputs.Stream, script []byte) (out []asked) {
	for _, b := range script {
		form := forms[int(b)%len(forms)]
		item, ok := s.Read(form, nil)
		if !ok {
			break
		}
		out = append(out, asked{form, item})
	}
	return out
}

// written is the text of an input of which this was read.
func written(read []asked) string {
	var out strings.Builder
	begun := false // a number or a word, whose line is not at its end
	for _, a := range read {
		if begun && (a.form != inputs.Character || a.item.Number != '\n') && a.form != inputs.Line {
			out.WriteByte('\n')
		}
		begun = false
		switch a.form {
		case inputs.Number:
			fmt.Fprint(&out, a.item.Number)
			begun = true
		case inputs.Decimal:
			fmt.Fprintf(&out, "%g", a.item.Decimal)
			begun = true
		case inputs.Word:
			out.Write(a.item.Text)
			begun = true
		case inputs.Line:
			fmt.Fprintf(&out, "%s\n", a.item.Text)
		default:
			out.WriteByte(byte(a.item.Number))
		}
	}
	return out.String()
}

// readBack reads a text by the same forms, as Go's own scanner and reader do.
func readBack(text string, forms []asked) (out []asked, err error) {
	in := bufio.NewReader(strings.NewReader(text))
	for _, f := range forms {
		a := asked{form: f.form}
		switch f.form {
		case inputs.Number:
			_, err = fmt.Fscan(in, &a.item.Number)
		case inputs.Decimal:
			_, err = fmt.Fscan(in, &a.item.Decimal)
		case inputs.Word:
			_, err = fmt.Fscan(in, &a.item.Text)
		case inputs.Line:
			a.item.Text, err = in.ReadBytes('\n')
			a.item.Text = bytes.TrimSuffix(a.item.Text, []byte("\n"))
		default:
			var b byte
			for b, err = in.ReadByte(); f.form == inputs.Visible && (b == ' ' || b == '\n'); {
				b, err = in.ReadByte()
			}
			a.item.Number = int64(b)
		}
		if err != nil {
			return out, fmt.Errorf("after %v: %w", out, err)
		}
		out = append(out, a)
	}
	if rest, _ := io.ReadAll(in); len(bytes.TrimSpace(rest)) > 0 {
		return out, fmt.Errorf("%q is left", rest)
	}
	return out, nil
}

// FuzzStream holds what is read in any order to what the forms promise.
func FuzzStream(f *testing.F) {
	for seed := range uint64(16) {
		f.Add(seed, bytes.Repeat([]byte{0, 4, 2, 5, 3, 1, 0, 0, 2, 2, 2, 4}, 6), []byte("AZ0z~"), "north")
	}
	f.Add(uint64(4), []byte{2, 2, 4, 2, 5, 0, 5, 2, 3, 3, 3}, []byte{}, "")
	f.Fuzz(func(t *testing.T, seed uint64, script, numbers []byte, text string) {
		if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return // no text that a program compares with
		}
		words := compares(numbers, text)
		s := inputs.Open(seed, words)
		half := len(script) / 2
		first := asks(&s, script[:half])
		other := s
		whole := append(slices.Clone(first), asks(&s, script[half:])...)
		again := append(slices.Clone(first), asks(&other, script[half:])...)
		if fmt.Sprint(whole) != fmt.Sprint(again) {
			t.Errorf("a copy of the stream goes on with %v, not with %v", again, whole)
		}
		for _, a := range whole {
			if why := broken(a, seed, words); why != "" {
				t.Errorf("seed %d: %v %s", seed, a, why)
			}
		}
		if len(first) < half {
			whole = first // what follows the end is not part of one text
		}
		back, err := readBack(written(whole), whole)
		if err != nil || fmt.Sprint(back) != fmt.Sprint(whole) {
			t.Errorf("%v is written %q, and read back as %v: %v", whole, written(whole), back, err)
		}
	})
}

// broken says which of its form's bounds an item does not keep.
func broken(a asked, seed uint64, words *vocabulary) string {
	p := inputs.Profiles()[seed%8]
	number := func(x int64) string {
		beside := func(y int64) bool { return x >= y-1 && x <= y+1 }
		if p.Counts.Has(x) || p.Values.Has(x) || !p.Corner && slices.ContainsFunc(words.w.Numbers, beside) {
			return ""
		}
		return "is neither of the profile nor beside a number that the program compares with"
	}
	switch a.form {
	case inputs.Number:
		return number(a.item.Number)
	case inputs.Decimal:
		if f := a.item.Decimal; f == float64(int64(f)) {
			return number(int64(f))
		} else if f -= .5; f == float64(int64(f)) && seed%2 == 1 {
			return number(int64(f))
		}
		return "is neither whole nor a half more, in the profiles that have halves"
	case inputs.Character, inputs.Visible:
		if x := a.item.Number; x < ' ' && x != '\n' || x > '~' || x <= ' ' && a.form == inputs.Visible {
			return "is no character of a text"
		}
		return ""
	}
	text := string(a.item.Text)
	switch least, most := 1, max(32, len(slices.MaxFunc(append(words.w.Texts, ""), func(x, y string) int { return len(x) - len(y) }))); {
	case a.form == inputs.Word && (len(text) < least || strings.Contains(text, " ")):
		return "is no word"
	case len(text) > most:
		return fmt.Sprintf("has more than %d letters", most)
	}
	return ""
}

// Inputs end, after 24 to 63 numbers and lines, also for a program that reads one form
// again and again.
func TestEveryInputEnds(t *testing.T) {
	for _, form := range []*inputs.Reading{inputs.Number, inputs.Decimal, inputs.Word, inputs.Line} {
		seen := map[int]bool{}
		for seed := range uint64(80) {
			s := inputs.Open(seed, compares(nil))
			n := 0
			for ; n < 100; n++ {
				if _, ok := s.Read(form, nil); !ok {
					break
				}
			}
			if _, ok := s.Read(form, nil); ok || n < 24 || n > 63 {
				t.Errorf("seed %d: %d of form %s, and more: %v", seed, n, form.Name, ok)
			}
			seen[n] = true
		}
		if len(seen) < 30 {
			t.Errorf("inputs of form %s have the lengths %v only", form.Name, seen)
		}
	}
	var nothing inputs.Stream
	if _, ok := nothing.Read(inputs.Character, nil); ok {
		t.Error("there is something to read where no stream was opened")
	}
}

// What a program looks for is in its inputs: its numbers and those beside them, its
// characters in their order, its texts.
func TestInputsHoldWhatTheProgramLooksFor(t *testing.T) {
	words := &vocabulary{}
	for _, x := range []int64{417, 'q', '(', ')', 0, 1} {
		words.w.Add(x)
	}
	words.w.AddText("north")
	numbers, texts := map[int64]int{}, ""
	for seed := range uint64(80) {
		s := inputs.Open(seed, words)
		for _, a := range asks(&s, bytes.Repeat([]byte{0, 0, 4}, 30)) {
			if a.form == inputs.Number {
				numbers[a.item.Number]++
			}
			texts += string(a.item.Text) + "\n"
		}
	}
	if numbers[416] == 0 || numbers[417] == 0 || numbers[418] == 0 || numbers[419] > 0 {
		t.Errorf("416: %d, 417: %d, 418: %d, 419: %d", numbers[416], numbers[417], numbers[418], numbers[419])
	}
	if !strings.Contains(texts, "\nnorth\n") {
		t.Error("no text is the one that is compared with")
	}
	s := inputs.Open(4, compares([]byte{'(' + 20, 'x' + 20, ')' + 20}))
	line, _ := s.Read(inputs.Line, nil)
	for k := 0; k < 20 && !strings.Contains(string(line.Text), "(x)"); k++ {
		line, _ = s.Read(inputs.Line, nil)
	}
	if !strings.Contains(string(line.Text), "(x)") {
		t.Errorf("the last line is %q, and none spells (x)", line.Text)
	}
}

// The inputs of a seed are part of every feature that rests on them: they stay from
// release to release.
func TestWhatIsDrawnStays(t *testing.T) {
	var out bytes.Buffer
	words := compares([]byte{30, 62, 117, 119}, "north")
	for seed := range uint64(24) {
		s := inputs.Open(seed, words)
		read := asks(&s, []byte{0, 0, 0, 4, 5, 2, 2, 0, 1, 1, 4, 4, 3, 5, 5, 0, 0})
		fmt.Fprintf(&out, "seed %d, %s\n%s\n", seed, inputs.Profiles()[seed%8].Name, written(read))
	}
	golden.Check(t, "testdata/drawn.golden", out.Bytes())
}
