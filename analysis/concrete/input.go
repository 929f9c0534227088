package concrete

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/analysis/libc"
)

// stdin is what a path has read of its standard input. The input is made up as it is
// read: a number where the program asks for a number, a line where it asks for a line, so
// that it has the form that the program wants. A mutant that reads more or less gets what
// comes next, as it would.
//
// Numbers are small and mostly positive, the first two the smallest, since they say most
// often how much there is to come; texts consist of few different characters. One in four
// numbers and most characters of typical inputs are those that the program compares with
// something (dictionary), some in the order in which it does so, and some texts are those
// that it compares with: what a program looks for is in its inputs.
type stdin struct {
	taken   uint64 // numbers and lines
	last    int64  // the last number
	newline bool   // the line that a number ended has still to be read to its end
	inLine  bool
	line    uint64 // which is being read
	length  int64
	at      int64
	spells  uint64 // characters of spelled that came
	word    int    // of the dictionary that the line is, from 1; or 0
}

// dictionary is what a program compares with.
type dictionary struct {
	numbers    []int64
	characters []byte
	// spelled are the characters once more, as often and in the order in which they are
	// compared; words are the texts that functions of the library compare with.
	spelled []byte
	words   []string
}

const mostWords = 64

// dictionary collects the constants of comparisons and of switches.
func (p *program) dictionary() *dictionary {
	if p.words != nil {
		return p.words
	}
	p.expand() // whichever path comes to what is called
	p.words = &dictionary{}
	queue := []*Code{p.root}
	seen := map[*Code]bool{p.root: true}
	for ; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		for i := range c.code.Items {
			switch inst := c.code.Items[i].Node().(type) {
			case *llir.InstICmp:
				p.words.add(inst.X)
				p.words.add(inst.Y)
			case *llir.TermSwitch:
				for _, k := range inst.Cases {
					p.words.add(k.X)
				}
			}
			p.words.addTexts(p, &c.ops[i])
			if f := c.ops[i].Callee; f != nil {
				if next := p.codes[f]; next != nil && !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
	}
	return p.words
}

func (d *dictionary) add(v any) {
	k, ok := v.(*constant.Int)
	if !ok || k.Typ.BitSize < 8 || !k.X.IsInt64() {
		return
	}
	x := k.X.Int64()
	if x > 32 && x < 127 {
		d.characters = addOnce(d.characters, byte(x))
		if len(d.spelled) < mostWords {
			d.spelled = append(d.spelled, byte(x))
		}
	}
	if x > 1 || x < -1 {
		d.numbers = addOnce(d.numbers, x)
	}
}

// addTexts notes the constant texts that a call of the library names, if it compares.
func (d *dictionary) addTexts(p *program, o *operation) {
	if !o.Library.Has(libc.Compares) {
		return
	}
	for _, a := range o.args[1:] {
		if a.kind != word || a.x < firstGlobal {
			continue
		}
		g := p.global(a.x)
		if g == nil || !g.known || !g.constant {
			continue
		}
		var text []byte
		for at := a.x & (1<<symbolBits - 1); g.cells[at] > 32 && len(text) < longestText; at++ {
			text = append(text, byte(g.cells[at]))
		}
		if len(text) > 0 {
			d.words = addOnce(d.words, string(text))
		}
	}
}

func addOnce[T comparable](list []T, x T) []T {
	for _, y := range list {
		if x == y {
			return list
		}
	}
	if len(list) < mostWords {
		list = append(list, x)
	}
	return list
}

// ended says that nothing is left to read.
func (p *Path) ended() bool { return p.in.taken >= 24+p.seed*7%40 }

// inputNumber reads a number; false at the end of the input.
func (p *Path) inputNumber() (int64, bool) {
	if p.ended() {
		return 0, false
	}
	k := p.in.taken
	h := mix(p.seed, k^0x9b1a615d)
	p.in.taken, p.in.newline, p.in.inLine = k+1, true, false
	p.in.last = p.drawNumber(h, k)
	return p.in.last, true
}

func (p *Path) drawNumber(h, k uint64) int64 {
	style, first := p.seed%8, k < 2
	if words := p.program.dictionary().numbers; style >= 3 && h>>50%4 == 0 && len(words) > 0 && (!first || h>>52%2 == 0) {
		return words[h>>20%uint64(len(words))] + int64(h>>40%3) - 1
	}
	h >>= 8
	switch style {
	case 0:
		return 1
	case 1:
		return 1 + int64(mix(p.seed, 1)%9)
	case 2:
		if first {
			return 1 + int64(h%3)
		}
		return int64(h % 3)
	case 3:
		if first {
			return 1 + int64(h%6)
		}
		return int64(h % 6)
	case 4:
		return 1 + int64(h%10)
	case 5:
		if first && h>>44%3 > 0 {
			return 2 + int64(h%8)
		}
		return int64(h % 100)
	case 6:
		if first {
			return 1 + int64(h%8)
		}
		return int64(h%31) - 10
	}
	if first && h>>44%4 > 0 {
		return 1 + int64(h%24)
	}
	return 1 + int64(h%1_000_000_000>>(h>>40%24))
}

// startLine begins the next line; false at the end of the input.
func (p *Path) startLine() bool {
	if p.ended() {
		return false
	}
	k := p.in.taken
	h := mix(p.seed, k^0x51ed270b) >> 8
	length := 1 + int64(h%8)
	p.in.word = 0
	switch style := p.seed % 8; {
	case style == 0:
		length = 1
	case len(p.program.dictionary().words) > 0 && h>>16%3 > 0:
		p.in.word = 1 + int(h>>20%uint64(len(p.program.words.words)))
		length = int64(len(p.program.words.words[p.in.word-1]))
	case style%2 == 1 && p.in.last > 0 && p.in.last <= 32:
		length = p.in.last
	case style >= 6:
		length += int64(h >> 8 % 24)
	}
	p.in.taken, p.in.newline, p.in.inLine, p.in.line, p.in.length, p.in.at = k+1, false, true, k, length, 0
	return true
}

// drawCharacter is the k-th character of a line, in which there may be spaces.
func (p *Path) drawCharacter(line, k uint64, spaces bool) byte {
	h := mix(p.seed, line<<20^k^0x2545f491) >> 8
	style := p.seed % 8
	if spaces && style >= 5 && h>>36%8 == 0 {
		return ' '
	}
	if w := p.in.word; w > 0 {
		return p.program.words.words[w-1][k-1]
	}
	if words := p.program.dictionary().spelled; len(words) > 0 && (style == 7 || style == 4) && h>>44%4 > 0 {
		p.in.spells++
		return words[(p.in.spells-1)%uint64(len(words))]
	}
	if words := p.program.dictionary().characters; style >= 1 && len(words) > 0 && h>>40%4 > 0 {
		if style == 1 {
			h = mix(p.seed, 2) >> 8
		}
		return words[h%uint64(len(words))]
	}
	switch style {
	case 0:
		return 'a'
	case 1:
		return 'a' + byte(mix(p.seed, 1)%26)
	case 2:
		return '0' + byte(h%2)
	case 3:
		return 'a' + byte(h%3)
	case 4:
		return '0' + byte(h%10)
	case 5:
		return 'a' + byte(h%26)
	case 6:
		return 'A' + byte(h%26)
	}
	if h>>30%3 == 0 {
		return byte(33 + h%94)
	}
	return "aAbBzZ09"[h%8]
}

// inputCharacter reads one; -1 at the end of the input.
func (p *Path) inputCharacter(spaces bool) int64 {
	if p.given != nil {
		return p.givenCharacter()
	}
	if p.in.newline {
		p.in.newline = false
		return '\n'
	}
	if !p.in.inLine && !p.startLine() {
		return -1
	}
	if p.in.at == p.in.length {
		p.in.inLine = false
		return '\n'
	}
	p.in.at++
	return int64(p.drawCharacter(p.in.line, uint64(p.in.at), spaces))
}

// visibleCharacter reads the next character that is no space; -1 at the end of the input.
func (p *Path) visibleCharacter() int64 {
	for {
		if x := p.inputCharacter(false); x != '\n' {
			return x
		}
	}
}

// inputLine reads the rest of a line, of which there is none after a number; false at the
// end of the input. The line is in p.buffer.
func (p *Path) inputLine(spaces bool) bool {
	p.buffer = p.buffer[:0]
	x := p.inputCharacter(spaces)
	if x < 0 {
		return false
	}
	for ; x >= 0 && x != '\n'; x = p.inputCharacter(spaces) {
		p.buffer = append(p.buffer, byte(x))
	}
	return true
}

// inputWord reads a text without spaces: the rest of a line, if there is some.
func (p *Path) inputWord() bool {
	if p.in.newline = false; p.in.inLine && p.in.at == p.in.length {
		p.in.inLine = false
	}
	if !p.inputLine(false) {
		return false
	}
	p.in.newline = true
	return true
}
