package inputs

import (
	"fmt"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// Profile is a way to fill in forms. The zero value of a switch is off.
type Profile struct {
	Name, Doc string
	// Corner says that its numbers are all the same, or all near zero.
	Corner bool

	// Counts are the first numbers of an input, which say most often how much there is to
	// come, Values the others. One in strays of the first is a value; 0 is none.
	Counts, Values Span
	strays         uint64
	// skewed values have as often few digits as many. To every other decimal a half is added
	// (halves): of the decimals in Codeflaws' inputs 22 % end in .0 or .5, and these are the
	// ones that every width of floating point holds.
	skewed, halves bool
	// Held are the integers of a state; null says that its addresses are.
	Held Span
	null bool
	// repeats one number, and one letter, all the way.
	repeats bool

	Letters string
	// anyLetter says that some letters are any that can be seen.
	anyLetter bool
	// spaces are between the letters of a line.
	spaces bool
	// Lines have one letter (single), or as many as the number that was read last (counted),
	// or more than others (long).
	single, counted, long bool
	// seeks says that what the program compares with is drawn, in place of some letters and,
	// in profiles that are no corners, of some numbers; spells that its characters come in
	// the order in which the program compares with them.
	seeks, spells bool
}

// Span is so many numbers from the least on.
type Span struct {
	Least int64
	Count uint64
}

// Has says whether a number is one of them.
func (s Span) Has(x int64) bool { return x >= s.Least && uint64(x-s.Least) < s.Count }

func (s Span) String() string {
	if s.Count == 1 {
		return fmt.Sprint(s.Least)
	}
	return fmt.Sprintf("%d to %d", s.Least, s.Least+int64(s.Count)-1)
}

func (s Span) at(h uint64) int64 { return s.Least + int64(h%s.Count) }

const (
	digits = "0123456789"
	small  = "abcdefghijklmnopqrstuvwxyz"
	large  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// profiles are chosen by the remainder of a seed. Above each stands how many of the first
// two numbers, of the others and of the letters in Codeflaws' inputs are its own, how many
// blocks of the programs are reached by its inputs alone, and how many are lost without
// them, in points (docs/results/inputs.md). None is without loss. The numbers of states
// are those of inputs, from below 0 on where a profile has both signs: what a function is
// called with was read, or computed of it.
var profiles = [8]Profile{
	// 11 %, 12 %, 5 %; 62 %, .03.
	{
		Name: "least", Doc: "every number is 1, every text one letter; a state is all zero", Corner: true,
		Counts: Span{1, 1}, Values: Span{1, 1}, Held: Span{0, 1}, null: true,
		Letters: "a", single: true,
	},
	// 45 %, 38 %, 41 %; 80 %, .14.
	{
		Name: "equal", Doc: "all numbers are the same, and all letters", Corner: true,
		Counts: Span{1, 9}, Values: Span{1, 9}, Held: Span{0, 12}, halves: true, repeats: true,
		Letters: small, counted: true, seeks: true,
	},
	// 27 %, 26 %, 13 %; 88 %, .22.
	{
		Name: "tiny", Doc: "few values, near zero, and two letters", Corner: true,
		Counts: Span{1, 3}, Values: Span{0, 3}, Held: Span{-1, 4},
		Letters: digits[:2], seeks: true,
	},
	// 40 %, 38 %, 9 %; 91 %, .09.
	{
		Name: "few", Doc: "numbers up to six, and three letters",
		Counts: Span{1, 6}, Values: Span{0, 6}, Held: Span{0, 8}, halves: true,
		Letters: small[:3], counted: true, seeks: true,
	},
	// 49 %, 40 %, 22 %; 90 %, .13.
	{
		Name: "digits", Doc: "numbers up to ten, and texts of digits",
		Counts: Span{1, 10}, Values: Span{1, 10}, Held: Span{0, 8},
		Letters: digits, seeks: true, spells: true,
	},
	// 34 %, 76 %, 41 %; 89 %, .16.
	{
		Name: "hundred", Doc: "numbers below a hundred, and words of small letters",
		Counts: Span{2, 8}, Values: Span{0, 100}, strays: 3, Held: Span{0, 100}, halves: true,
		Letters: small, spaces: true, counted: true, seeks: true,
	},
	// 44 %, 54 %, 22 %; 89 %, .36.
	{
		Name: "signed", Doc: "numbers of both signs, and long texts of large letters",
		Counts: Span{1, 8}, Values: Span{-10, 31}, Held: Span{-20, 40},
		Letters: large, spaces: true, long: true, seeks: true,
	},
	// 56 %, 89 %, 20 %; 85 %, .21.
	{
		Name: "wide", Doc: "numbers up to a billion, and long texts of all there is",
		Counts: Span{1, 24}, Values: Span{1, 1_000_000_000}, strays: 4, skewed: true, Held: Span{-1000, 4000}, halves: true,
		Letters: "aAbBzZ09", anyLetter: true, spaces: true, counted: true, long: true, seeks: true, spells: true,
	},
}

// Profiles are all there are: that of a seed is at the seed's remainder.
func Profiles() []Profile { return profiles[:] }

func profileOf(seed uint64) *Profile { return &profiles[seed%uint64(len(profiles))] }

// Corner reports the seeds whose numbers are all the same or all near zero; the others
// are typical.
func Corner(seed uint64) bool { return profileOf(seed).Corner }

// repeated is the number that the profiles which repeat one are made of.
func repeated(seed uint64) uint64 { return stream.Mix(seed, 1) }
