package page

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/report/findings"
)

// data is a run for the script. Every list of Mutants has one number a mutant, in the order
// of the findings; texts and sets of tests are places in Texts and Sets.
type data struct {
	Program  string            `json:"program"`
	Tests    []string          `json:"tests"`
	Files    []file            `json:"files"`
	Statuses []findings.Status `json:"statuses"`
	Texts    []string          `json:"texts"`
	// Sets are how many tests, and which: ranges of their places, the first of many.
	Sets    []string          `json:"sets"`
	IDs     []string          `json:"ids"`
	Mutants map[string]column `json:"mutants"`
	// Gaps are the leads in the order of the list, each followed by those alike.
	Gaps [][]int `json:"gaps"`
}

type number = int32

// column is written as the differences from one number to the next, in the variable-length
// digits of base 64 that source maps have: a third of the size of decimal numbers.
type column []number

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// MarshalJSON writes the sign in the lowest bit, five bits a digit, the lowest first; the
// sixth says that more follow.
func (c column) MarshalJSON() ([]byte, error) {
	out := []byte{'"'}
	last := int64(0)
	for _, n := range c {
		d := int64(n) - last
		last = int64(n)
		bits := uint64(d) << 1
		if d < 0 {
			bits = uint64(-d)<<1 | 1
		}
		for ; bits >= 32; bits >>= 5 {
			out = append(out, digits[bits&31|32])
		}
		out = append(out, digits[bits])
	}
	return append(out, '"'), nil
}

// UnmarshalJSON is what the script does.
func (c *column) UnmarshalJSON(text []byte) error {
	last, bits, shift := int64(0), uint64(0), 0
	for _, ch := range bytes.Trim(text, `"`) {
		digit := strings.IndexByte(digits, ch)
		if digit < 0 {
			return fmt.Errorf("%q is no digit", ch)
		}
		bits |= uint64(digit&31) << shift
		if shift += 5; digit&32 != 0 {
			continue
		}
		d := int64(bits >> 1)
		if bits&1 == 1 {
			d = -d
		}
		last += d
		*c = append(*c, number(last))
		bits, shift = 0, 0
	}
	return nil
}

type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// columns of data.Mutants.
const (
	colFile, colLine, colColumn, colFunction, colOperator = "file", "line", "column", "function", "operator"
	colFrom, colTo, colStatus, colWhy, colTest, colOf     = "from", "to", "status", "why", "test", "of"
	colRank, colFault, colKill                            = "rank", "pfault", "pkill"     // thousandths; -1 none
	colStart, colEnd, colText                             = "start", "end", "text"        // in UTF-16; start is -1 without an edit
	colReached, colInfected, colKilledBy                  = "reached", "infected", "kill" // sets; -1 none
)

// encoder fills data.
type encoder struct {
	data
	texts, sets map[string]number
	named       int // tests named in a set
	offsets     map[string]func(int) number
}

// Sets of many tests are cut so that all together stay below mostSets bytes.
const mostSets = 3 << 20

var namedInSet = []int{60, 20, 8, 3, 0}

func dataOf(r *findings.Run) *data {
	var e *encoder
	for _, named := range namedInSet {
		e = &encoder{data: data{Program: r.Name(), Tests: r.Tests, Statuses: findings.Statuses(), Mutants: map[string]column{}},
			texts: map[string]number{}, sets: map[string]number{}, named: named, offsets: map[string]func(int) number{}}
		e.fill(r)
		size := 0
		for _, s := range e.Sets {
			size += len(s)
		}
		if size <= mostSets {
			break
		}
	}
	return &e.data
}

func (e *encoder) fill(r *findings.Run) {
	places := map[string]number{}
	for i, f := range r.Files {
		places[f.Name] = number(i)
		e.Files = append(e.Files, file{f.Name, f.Text})
		e.offsets[f.Name] = inUTF16(f.Text)
	}
	statuses := map[findings.Status]number{}
	for i, s := range e.Statuses {
		statuses[s] = number(i)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		at, known := places[f.File]
		if !known { // no text of it
			at = number(len(e.Files))
			places[f.File] = at
			e.Files = append(e.Files, file{Name: f.File})
		}
		e.IDs = append(e.IDs, f.ID)
		e.add(colFile, at)
		e.add(colLine, number(f.Line))
		e.add(colColumn, number(f.Column))
		e.add(colStatus, statuses[f.Status])
		e.add(colRank, number(f.Rank))
		e.add(colFault, thousandths(f.PFault))
		e.add(colKill, thousandths(f.PKill))
		e.add(colFunction, e.text(f.Function))
		e.add(colOperator, e.text(f.Operator))
		e.add(colFrom, e.text(f.Original))
		e.add(colTo, e.text(f.Replacement))
		e.add(colWhy, e.text(f.Why))
		e.add(colTest, e.text(f.UnitTest))
		e.add(colOf, e.text(f.Of))
		e.add(colReached, e.set(f.Reached))
		e.add(colInfected, e.set(f.Infected))
		e.add(colKilledBy, e.set(f.KilledBy))
		e.edit(f.Edit)
	}
	for _, g := range r.Gaps {
		e.Gaps = append(e.Gaps, append([]int{g.Lead}, g.Alike...))
	}
}

func (e *encoder) add(col string, n number) { e.Mutants[col] = append(e.Mutants[col], n) }

func (e *encoder) text(s string) number {
	at, known := e.texts[s]
	if !known {
		at = number(len(e.Texts))
		e.texts[s] = at
		e.Texts = append(e.Texts, s)
	}
	return at
}

func (e *encoder) edit(c *findings.Edit) {
	if c == nil || e.offsets[c.File] == nil {
		e.add(colStart, -1)
		e.add(colEnd, -1)
		e.add(colText, -1)
		return
	}
	e.add(colStart, e.offsets[c.File](c.Start))
	e.add(colEnd, e.offsets[c.File](c.End))
	e.add(colText, e.text(c.Text))
}

// set writes a set as its size and the first tests of it: "12:0-3,7".
func (e *encoder) set(tests matrix.Bits) number {
	if tests.Empty() {
		return -1
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d:", tests.Count())
	from, to, named := -1, -1, 0
	flush := func() {
		if from < 0 {
			return
		}
		if named > 0 && !strings.HasSuffix(out.String(), ":") {
			out.WriteByte(',')
		}
		out.WriteString(strconv.Itoa(from))
		if to > from {
			out.WriteString("-" + strconv.Itoa(to))
		}
	}
	for t := range tests.All() {
		if named == e.named {
			break
		}
		named++
		if t != to+1 || from < 0 {
			flush()
			from = t
		}
		to = t
	}
	flush()
	key := out.String()
	at, known := e.sets[key]
	if !known {
		at = number(len(e.Sets))
		e.sets[key] = at
		e.Sets = append(e.Sets, key)
	}
	return at
}

func thousandths(p float64) number {
	if math.IsNaN(p) {
		return -1
	}
	return number(math.Round(1000 * p))
}

// inUTF16 turns offsets of bytes into those of a script's strings.
func inUTF16(text string) func(int) number {
	ascii := true
	for i := 0; i < len(text) && ascii; i++ {
		ascii = text[i] < utf8.RuneSelf
	}
	if ascii {
		return func(at int) number { return number(at) }
	}
	units := make([]number, len(text)+1)
	n := number(0)
	for at, r := range text {
		size := utf8.RuneLen(r)
		for k := range max(size, 1) {
			if at+k <= len(text) {
				units[at+k] = n
			}
		}
		n += number(utf16.RuneLen(r))
	}
	units[len(text)] = n
	return func(at int) number { return units[at] }
}
