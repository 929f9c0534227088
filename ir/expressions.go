package ir

import (
	"bytes"
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
)

// Two forms of constants that clang writes where a program computes with addresses of its variables
// are not read by llir: the exact division of a difference of addresses (&table[3] - table), and an
// expression as an index (p - (long)table). Both have a form that means the same and is read.

// exactDivision begins a division in a constant; what an instruction divides is in no parentheses.
var exactDivision = []byte("sdiv exact (i64 ")

// indexExpression begins a constant that is no index for llir, which knows ptrtoint alone.
var indexExpression = regexp.MustCompile(`\bi64 (?:add|sub|mul|shl|[la]shr|and|or|xor|zext|sext|trunc|select)(?: n[us]w)* \(`)

// readable is text of LLVM IR with constants in forms that llir reads.
func readable(text []byte) []byte {
	if !bytes.Contains(text, exactDivision) && !indexExpression.Match(text) {
		return text
	}
	var out []byte
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte(`c"`)) { // strings stay what they are
			line = multiplied(line)
			if at := bytes.Index(line, []byte("getelementptr ")); at >= 0 {
				line = append(line[:at:at], wrapped(line[at:])...)
			}
		}
		out = append(out, line...)
	}
	return out
}

// multiplied has shifts and products in the place of exact divisions: what an odd number divides
// without a rest, times the inverse of that number modulo 2^64, is the quotient (Warren, Hacker's
// Delight, on exact division by constants).
func multiplied(line []byte) []byte {
	for {
		at := bytes.LastIndex(line, exactDivision)
		if at < 0 {
			return line
		}
		from := at + len(exactDivision)
		end := closing(line, from)
		comma := bytes.LastIndex(line[from:max(from, end-1)], []byte(", i64 "))
		if comma < 0 {
			return line
		}
		divisor, err := strconv.ParseUint(string(line[from+comma+len(", i64 "):end-1]), 10, 63)
		if err != nil || divisor == 0 {
			return line
		}
		shift := bits.TrailingZeros64(divisor)
		quotient := fmt.Appendf(nil, "mul (i64 ashr (i64 %s, i64 %d), i64 %d)", line[from:from+comma], shift, int64(inverse(divisor>>shift)))
		line = bytes.Join([][]byte{line[:at], quotient, line[end:]}, nil)
	}
}

// inverse is what an odd number times gives 1 modulo 2^64. Each step of Newton's method doubles the
// bits that are right, of which n itself has three.
func inverse(n uint64) uint64 {
	x := n
	for range 5 {
		x *= 2 - n*x
	}
	return x
}

// wrapped has every expression be ptrtoint of itself as an address, but for those within another.
func wrapped(line []byte) (out []byte) {
	for {
		at := indexExpression.FindIndex(line)
		if at == nil {
			return append(out, line...)
		}
		end := closing(line, at[1])
		out = append(out, line[:at[0]]...)
		out = fmt.Appendf(out, "i64 ptrtoint (i8* inttoptr (%s to i8*) to i64)", line[at[0]:end])
		line = line[end:]
	}
}

// closing is behind the parenthesis that ends what was opened before a place; the line's end where
// none does.
func closing(line []byte, from int) int {
	depth, isQuoted := 1, false
	for i, c := range line[from:] {
		switch {
		case c == '"':
			isQuoted = !isQuoted
		case isQuoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return from + i + 1
			}
		}
	}
	return len(line)
}
