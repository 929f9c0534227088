package concrete

import (
	"bytes"
	"strings"

	"github.com/winnow-mutants/winnow/inputs"
)

// opened is a file that a path reads.
type opened struct {
	at     int64 // its address
	name   string
	source source
	closed bool
}

// fileFunctions open files to read them, and move about in what is read. Like all that is exact they
// are known to paths with a Transcript alone.
var fileFunctions = map[string]library{
	"fopen":    opensFile,
	"fopen64":  opensFile,
	"freopen":  opensInstead,
	"fseeko":   seeks,
	"fseeko64": seeks,
	"ftello":   tells,
	"ftello64": tells,
	"fclose":   closesFile,
	"feof": func(p *Path, o *operation) bool {
		return p.from(o, 0, func() bool { return p.gives(o, boolWord(p.atEnd())) })
	},
	"ferror": func(p *Path, o *operation) bool { return p.gives(o, 0) },
	"clearerr": func(p *Path, o *operation) bool {
		return p.from(o, 0, func() bool { p.source.ended = false; return true })
	},
	"rewind":  func(p *Path, o *operation) bool { return p.movesIn(o, func() bool { return p.moves(0) }) },
	"fseek":   seeks,
	"ftell":   tells,
	"ungetc":  func(p *Path, o *operation) bool { return p.from(o, 1, func() bool { return p.putsBack(o) }) },
	"fread":   func(p *Path, o *operation) bool { return p.from(o, 3, func() bool { return p.readsBlock(o) }) },
	"fwrite":  writesBlock,
	"getline": func(p *Path, o *operation) bool { return p.from(o, 2, func() bool { return p.getsLine(o) }) },
}

// from has something read the stream that the argument at a place is, or the standard input where
// there is no such argument. A stream that is neither that nor a file opened to be read is a guess,
// null a trap.
func (p *Path) from(o *operation, at int, reads func() bool) bool {
	s := p.stream(o, at)
	if p.Trapped {
		return true
	}
	if s == nil {
		p.buffered = true
		return reads()
	}
	p.source, s.source = s.source, p.source
	if p.given == nil { // what is drawn is noted as the file's
		t := p.Transcript
		t.Read, p.source.text = p.source.text, t.Read
		ok := reads()
		t.Read, p.source.text = p.source.text, t.Read
		p.source, s.source = s.source, p.source
		return ok
	}
	ok := reads()
	p.source, s.source = s.source, p.source
	return ok
}

// stream is the file that an argument is; nil for the standard input, and where that is not known.
func (p *Path) stream(o *operation, at int) *opened {
	if p.Transcript == nil || at+1 >= len(o.args) {
		return nil
	}
	if s := p.openedAt(p.arg(o, at)); s != nil {
		return s
	}
	p.streamIs(o, at, "stdin")
	return nil
}

func (p *Path) openedAt(at int64) *opened {
	for k := range p.opened {
		if s := &p.opened[k]; s.at == at && !s.closed {
			return s
		}
	}
	return nil
}

// opensFile is fopen of a file of the program's folder, to read it. What is written is nobody's guess.
func opensFile(p *Path, o *operation) bool {
	name, ok := p.fileNamed(o)
	if !ok {
		return p.Trapped
	}
	text, found, known := p.file(name)
	if !known {
		return false
	}
	if !found {
		p.store(errnoAt, noEntry, 32, 4)
		return p.gives(o, 0)
	}
	s := opened{at: p.allocate(anySize), name: name, source: source{text: text}}
	p.opened = append(p.opened, s)
	return p.gives(o, s.at)
}

// fileNamed is the name of the file that is opened; false where it is not to be read.
func (p *Path) fileNamed(o *operation) (string, bool) {
	name, mode, ok := p.texts(o)
	if !ok || !bytes.Equal(bytes.Trim(mode, "bt"), []byte("r")) {
		return "", false
	}
	return string(name), true
}

// file is what a file holds, and whether it is there; neither is known where it may lie outside of the
// program's folder. Of a program whose input is drawn all files are there, and drawn.
func (p *Path) file(name string) (text []byte, found, known bool) {
	if p.given != nil {
		for _, f := range p.given.Files {
			if f.Name == name {
				return []byte(f.Text), true, true
			}
		}
	}
	if strings.Contains(name, "/") || name == "." || name == ".." {
		return nil, false, false
	}
	if p.given == nil {
		return nil, true, true
	}
	p.Asked = append(p.Asked, name)
	return nil, false, true
}

// opensInstead is freopen of the standard input.
func opensInstead(p *Path, o *operation) bool {
	name, ok := p.fileNamed(o)
	if stdin, known := p.program.variables["stdin"]; !ok || !known || p.arg(o, 2) != stdin || p.given == nil {
		return p.Trapped
	}
	text, found, known := p.file(name)
	if !known {
		return false
	}
	if p.source = (source{text: text}); !found {
		return p.gives(o, 0)
	}
	return p.gives(o, p.arg(o, 2))
}

func closesFile(p *Path, o *operation) bool {
	if s := p.openedAt(p.arg(o, 0)); s != nil {
		s.closed = true
	} else {
		p.streamIs(o, 0, "stdin", "stdout", "stderr")
	}
	return p.gives(o, 0)
}

// atEnd says whether the end of what is read was seen.
func (p *Path) atEnd() bool {
	if p.given == nil {
		return p.in.Ended()
	}
	return p.source.ended
}

// movesIn moves in a file. The standard input may be one in which nobody can.
func (p *Path) movesIn(o *operation, moves func() bool) bool {
	if p.given == nil || p.openedAt(p.arg(o, 0)) == nil {
		return nearNull(p.arg(o, 0)) && p.from(o, 0, moves)
	}
	return p.from(o, 0, moves)
}

func (p *Path) moves(to int64) bool {
	p.source.taken, p.source.ended = int(min(to, longestFile)), false
	return true
}

// longestFile bounds where a program goes to in a file.
const longestFile = 1 << 30

func tells(p *Path, o *operation) bool {
	return p.movesIn(o, func() bool { return p.gives(o, int64(p.source.taken)) })
}

func seeks(p *Path, o *operation) bool {
	return p.movesIn(o, func() bool {
		to := p.target(o)
		if to < 0 {
			return p.gives(o, -1)
		}
		return p.moves(to) && p.gives(o, 0)
	})
}

// target is where fseek goes to; below 0 where it cannot.
func (p *Path) target(o *operation) int64 {
	to := p.arg(o, 1)
	switch p.arg(o, 2) {
	case 0:
		return to
	case 1:
		return to + int64(p.source.taken)
	case 2:
		return to + int64(len(p.source.text))
	}
	return -1
}

// putsBack is ungetc of the character that was read last; another one is not known.
func (p *Path) putsBack(o *operation) bool {
	x := p.arg(o, 0)
	if x == -1 {
		return p.gives(o, -1)
	}
	s := &p.source
	if p.given == nil || s.taken == 0 || s.taken > len(s.text) || int64(s.text[s.taken-1]) != x {
		return false
	}
	s.taken, s.ended = s.taken-1, false
	return p.gives(o, x)
}

// readsBlock is fread.
func (p *Path) readsBlock(o *operation) bool {
	at, size, n := p.arg(o, 0), p.arg(o, 1), p.arg(o, 2)
	if p.given == nil || size < 0 || n < 0 || size > mostWritten || n > mostWritten {
		return false
	}
	if size*n == 0 {
		return p.gives(o, 0)
	}
	text := p.rest()
	if int64(len(text)) < size*n {
		p.source.ended = true
	} else {
		text = text[:size*n]
	}
	if p.Trapped = len(text) > 0 && nearNull(at); p.Trapped {
		return true
	}
	p.source.taken += len(text)
	p.putBytes(at, text)
	return p.gives(o, int64(len(text))/size)
}

// writesBlock is fwrite.
func writesBlock(p *Path, o *operation) bool {
	at, size, n := p.arg(o, 0), p.arg(o, 1), p.arg(o, 2)
	if size < 0 || n < 0 || size > mostPrinted || n > mostPrinted || size*n > mostPrinted {
		return false
	}
	if p.Trapped = size*n > 0 && nearNull(at); p.Trapped {
		return true
	}
	text := make([]byte, size*n)
	for k := range text {
		text[k] = byte(p.read(at+int64(k), 8, 1))
	}
	p.show(hashOf(text))
	p.transcribe(o, 3, text...)
	if size == 0 {
		n = 0
	}
	return p.gives(o, n)
}

// mostPrinted bounds what fwrite prints.
const mostPrinted = 1 << 12

// getsLine is getline, with the sizes that glibc allocates.
func (p *Path) getsLine(o *operation) bool {
	to, size := p.arg(o, 0), p.arg(o, 1)
	if p.Trapped = nearNull(to) || nearNull(size); p.Trapped {
		return true
	}
	at, room := p.read(to, pointer, 8), p.read(size, 64, 8)
	if at == 0 || room == 0 {
		at, room = p.allocate(anySize), firstRoom
		p.store(to, at, pointer, 8)
	}
	line := p.rest()
	if p.given == nil {
		item, ok := p.in.Read(inputs.Line, nil)
		if line = item.Text; ok {
			line = append(line, '\n')
		}
		p.Transcript.text(line...)
	} else {
		end := bytes.IndexByte(line, '\n')
		if end >= 0 {
			line = line[:end+1]
		}
		p.takes(len(line), end < 0)
	}
	if needs := int64(len(line)) + 1; room < needs {
		room = max(2*room, needs)
	}
	if p.store(size, room, 64, 8); len(line) == 0 {
		return p.gives(o, -1)
	}
	p.putText(at, line)
	return p.gives(o, int64(len(line)))
}

// firstRoom is what getline of glibc allocates for a first line.
const firstRoom = 120

// drawnFiles are the files that a path with a drawn input opened, with what it read of them.
func (p *Path) drawnFiles() (out []inputs.File) {
	seen := map[string]bool{}
	for k := range p.opened {
		if s := &p.opened[k]; !seen[s.name] {
			seen[s.name] = true
			out = append(out, inputs.File{Name: s.name, Text: string(s.source.text)})
		}
	}
	return out
}
