package inputs

import "github.com/winnow-mutants/winnow/internal/stream"

// Stream is a standard input that is drawn as it is read: a number where the program asks
// for a number, a line where it asks for a line. It is a value: a copy goes on from where
// the original was. The zero Stream has nothing to read.
type Stream struct {
	seed    uint64
	profile *Profile
	program Program
	taken   uint64 // numbers and lines
	last    int64  // the last number
	// begun is a line of which a number or a word was read, and nothing else is left.
	begun  bool
	inLine bool
	line   uint64 // which is being read
	length int64
	at     int64
	spelt  uint64 // characters of Spelled that came
	text   int    // of Texts that the line is, from 1; or 0
}

// Open begins the input of a seed.
func Open(seed uint64, program Program) Stream {
	return Stream{seed: seed, profile: profileOf(seed), program: program}
}

// Read draws the next of a form; false at the end of the input. A text is put into room,
// which may be nil.
func (s *Stream) Read(r *Reading, room []byte) (Item, bool) { return r.read(s, room[:0]) }

// Ended says that nothing is left to read.
func (s *Stream) Ended() bool { return s.ended() }

// EndLine reads what is left of a line after a number or a word.
func (s *Stream) EndLine() { s.begun = false }

// An input has so many numbers and lines: of the inputs of Codeflaws 92 % have at most
// fewestItems, 96 % at most mostItems. They differ, since a program that reads to the end
// would always be given as much otherwise.
const (
	fewestItems = 24
	mostItems   = 63
)

// ended says that nothing is left to read.
func (s *Stream) ended() bool {
	return s.profile == nil || s.taken >= fewestItems+s.seed*7%(mostItems+1-fewestItems)
}

// Numbers, lines and letters are counted from 0 each; these, which mean nothing, keep the
// draws for equal counts apart.
const (
	forNumber = 0x9b1a615d
	forLine   = 0x51ed270b
	forLetter = 0x2545f491
)

func (s *Stream) number() (int64, bool) {
	if s.ended() {
		return 0, false
	}
	h := stream.Mix(s.seed, s.taken^forNumber)
	s.last = s.drawNumber(h, s.taken < firstNumbers)
	s.taken, s.begun, s.inLine = s.taken+1, true, false
	return s.last, true
}

func (s *Stream) decimal() (float64, bool) {
	x, ok := s.number()
	f := float64(x)
	if ok && s.profile.halves && stream.Mix(s.seed, s.taken)>>20%2 == 0 {
		f += .5
	}
	return f, ok
}

// firstNumbers of an input are counts where the profile has some. Codeflaws' inputs
// begin so: 45 % of their first two numbers are from 1 to 9, 38 % of the others.
const firstNumbers = 2

// What the program compares with is drawn as often as this. Inputs that are written for a
// program hold it less often: of the numbers in Codeflaws' inputs 6 % are within one of
// such a number, of the letters 26 % are such a character, of the words 1 % such a text.
// But they are what tells a program's branches apart: without its letters 1.5 points of all
// blocks are not reached, without its numbers .1 (docs/results/inputs.md).
const (
	numbersSought = 4 // one number in so many
	lettersSought = 4 // all letters but one in so many
	textsSought   = 3 // all lines but one in so many
)

// drawNumber draws a number. Each choice, here and below, looks at bits of its own of the
// hash: how far it is shifted means nothing else.
func (s *Stream) drawNumber(h uint64, first bool) int64 {
	p := s.profile
	if !p.Corner && h>>50%numbersSought == 0 && (!first || h>>52%2 == 0) {
		if list := s.program.Words().Numbers; len(list) > 0 {
			return list[h>>20%uint64(len(list))] + int64(h>>40%3) - 1
		}
	}
	h >>= 8
	if p.repeats {
		h = repeated(s.seed)
	}
	switch {
	case first && (p.strays == 0 || h>>44%p.strays > 0):
		return p.Counts.at(h)
	case p.skewed: // by up to 24 binary digits less, which leaves 6 of a billion's 30
		return p.Values.Least + int64(h%p.Values.Count>>(h>>40%24))
	}
	return p.Values.at(h)
}

// The letters of a line: of the words in Codeflaws' inputs 81 % have at most shortLine
// letters, 93 % at most longLine; 14 % have as many as the number that was read last says,
// which is followed up to countedLine.
const (
	shortLine   = 8
	longLine    = 31
	countedLine = 32
)

// startLine begins the next line; false at the end of the input.
func (s *Stream) startLine() bool {
	if s.ended() {
		return false
	}
	p, h := s.profile, stream.Mix(s.seed, s.taken^forLine)>>8
	s.length, s.text = 1+int64(h%shortLine), 0
	switch {
	case p.single:
		s.length = 1
	case s.isText(h):
	case p.counted && s.last > 0 && s.last <= countedLine:
		s.length = s.last
	case p.long:
		s.length += int64(h >> 8 % (longLine - shortLine + 1))
	}
	s.begun, s.inLine, s.line, s.at = false, true, s.taken, 0
	s.taken++
	return true
}

// isText makes most lines a text that the program compares with, if it does.
func (s *Stream) isText(h uint64) bool {
	list := s.program.Words().Texts
	if len(list) == 0 || h>>16%textsSought == 0 {
		return false
	}
	s.text = 1 + int(h>>20%uint64(len(list)))
	s.length = int64(len(list[s.text-1]))
	return true
}

// Where a line may have spaces, one letter in betweenSpaces is one: of the lines with words
// in Codeflaws' inputs 23 % have some. Of anyLetter's, one in anyLetters is any.
const (
	betweenSpaces = 8
	anyLetters    = 3
)

// letter draws one of a line, in which there may be spaces.
func (s *Stream) letter(spaces bool) byte {
	p, h := s.profile, stream.Mix(s.seed, s.line<<20^uint64(s.at)^forLetter)>>8
	if spaces && p.spaces && h>>36%betweenSpaces == 0 {
		return ' '
	}
	if s.text > 0 {
		return s.program.Words().Texts[s.text-1][s.at-1]
	}
	if p.seeks {
		if b, ok := s.soughtLetter(h); ok {
			return b
		}
	}
	switch {
	case p.repeats:
		h = repeated(s.seed)
	case p.anyLetter && h>>30%anyLetters == 0:
		return '!' + byte(h%('~'-'!'+1))
	}
	return p.Letters[h%uint64(len(p.Letters))]
}

// soughtLetter makes most letters one that the program compares with, if it does.
func (s *Stream) soughtLetter(h uint64) (byte, bool) {
	words := s.program.Words()
	if p := s.profile; p.spells && len(words.Spelled) > 0 && h>>44%lettersSought > 0 {
		s.spelt++
		return words.Spelled[(s.spelt-1)%uint64(len(words.Spelled))], true
	}
	if len(words.Characters) == 0 || h>>40%lettersSought == 0 {
		return 0, false
	}
	if s.profile.repeats {
		h = stream.Mix(s.seed, 2) >> 8
	}
	return words.Characters[h%uint64(len(words.Characters))], true
}

// character reads one; false at the end of the input.
func (s *Stream) character(spaces bool) (byte, bool) {
	switch {
	case s.begun:
		s.begun = false
		return '\n', true
	case !s.inLine && !s.startLine():
		return 0, false
	case s.at == s.length:
		s.inLine = false
		return '\n', true
	}
	s.at++
	return s.letter(spaces), true
}

// visible reads the next character that is no space; false at the end of the input.
func (s *Stream) visible() (byte, bool) {
	for {
		if b, ok := s.character(false); b != '\n' {
			return b, ok
		}
	}
}

// rest reads the rest of a line, of which there is none after a number; false at the end
// of the input.
func (s *Stream) rest(room []byte, spaces bool) ([]byte, bool) {
	b, ok := s.character(spaces)
	if !ok {
		return room, false
	}
	for ; ok && b != '\n'; b, ok = s.character(spaces) {
		room = append(room, b)
	}
	return room, true
}

// word reads a text without spaces: the rest of a line, if there is some.
func (s *Stream) word(room []byte) ([]byte, bool) {
	if s.begun = false; s.inLine && s.at == s.length {
		s.inLine = false
	}
	room, ok := s.rest(room, false)
	s.begun = ok
	return room, ok
}
