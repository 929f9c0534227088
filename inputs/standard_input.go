package inputs

// Reading is a form that is read, one after the other.
type Reading struct {
	Form
	read func(s *Stream, room []byte) (Item, bool)
}

// Item is what was read: a number, a decimal, the code of a character, or a text.
type Item struct {
	Number  int64
	Decimal float64
	Text    []byte
}

func standardInput() Channel {
	c := Channel{
		Name: "standard input", Doc: "what a program reads of its standard input; other streams are taken for it",
	}
	for _, r := range readings {
		c.Forms = append(c.Forms, r.Form)
	}
	return c
}

// readings are the forms of the standard input.
var readings = []*Reading{Number, Decimal, Character, Visible, Word, Line}

// Number is a whole number.
var Number = &Reading{
	Form{
		Name: "number", Doc: "a count or a value of the profile, or, one in four, a number that the program compares with, or one beside it",
		Asks: "reads a whole number", Conversions: "diouxXp",
	},
	func(s *Stream, _ []byte) (Item, bool) {
		x, ok := s.number()
		return Item{Number: x}, ok
	},
}

// Decimal is a number that may have a fraction.
var Decimal = &Reading{
	Form{
		Name: "decimal", Doc: "a number, in half of the profiles half of them with a half more",
		Asks: "reads a number with a fraction", Conversions: "aAeEfFgG",
	},
	func(s *Stream, _ []byte) (Item, bool) {
		x, ok := s.decimal()
		return Item{Decimal: x}, ok
	},
}

// Character is the next, whatever it is.
var Character = &Reading{
	Form{
		Name: "character", Doc: "one of a line, or its end", Asks: "reads one character", Conversions: "c",
		Calls: []string{"getchar", "getc", "fgetc", "getchar_unlocked"},
	},
	func(s *Stream, _ []byte) (Item, bool) {
		b, ok := s.character(true)
		return Item{Number: int64(b)}, ok
	},
}

// Visible is the next character that is no space.
var Visible = &Reading{
	Form{Name: "visible character", Doc: "the next of a line that is no space", Asks: "reads one character with %c after spaces"},
	func(s *Stream, _ []byte) (Item, bool) {
		b, ok := s.visible()
		return Item{Number: int64(b)}, ok
	},
}

// Word is a text without spaces.
var Word = &Reading{
	Form{
		Name: "word", Doc: "a line without spaces, or what is left of one: of 1 to 32 letters, or a text that the program compares with",
		Asks: "reads a word", Conversions: "s[",
	},
	func(s *Stream, room []byte) (Item, bool) {
		text, ok := s.word(room)
		return Item{Text: text}, ok
	},
}

// Line is a text with spaces.
var Line = &Reading{
	Form{
		Name: "line", Doc: "a word with spaces between its letters; nothing after a number, whose line it ends",
		Asks: "reads a line", Calls: []string{"gets", "fgets"},
	},
	func(s *Stream, room []byte) (Item, bool) {
		text, ok := s.rest(room, true)
		return Item{Text: text}, ok
	},
}

// byConversion are the forms by the letter of the scanf family.
var byConversion = func() (out [256]*Reading) {
	for _, r := range readings {
		for k := range len(r.Conversions) {
			out[r.Conversions[k]] = r
		}
	}
	return out
}()

// Conversion is the form that a conversion of the scanf family asks for, in whose format
// spaces are before it or not; a number where it is none of C's.
func Conversion(letter byte, afterSpaces bool) *Reading {
	switch r := byConversion[letter]; {
	case r == nil:
		return Number
	case r == Character && afterSpaces:
		return Visible
	default:
		return r
	}
}
