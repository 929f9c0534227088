package concrete

import (
	"slices"
	"strings"
)

// descriptorFunctions read and write without streams. A descriptor is a number: 0 to 2 are the standard
// streams', those that are opened come next.
var descriptorFunctions = map[string]library{
	"open":    opensDescriptor,
	"open64":  opensDescriptor,
	"close":   closesDescriptor,
	"read":    readsDescriptor,
	"write":   writesDescriptor,
	"lseek":   seeksDescriptor,
	"lseek64": seeksDescriptor,
	"isatty":  func(p *Path, o *operation) bool { return p.gives(o, 0) }, // tests are no terminals
}

// opensDescriptor is open to read.
func opensDescriptor(p *Path, o *operation) bool {
	const readOnly, closesOnExec, large = 0, 0o2000000, 0o100000
	if p.arg(o, 1)&^(closesOnExec|large) != readOnly {
		return false
	}
	name, ok := p.text(p.arg(o, 0))
	if !ok {
		return true
	}
	text, found, known := p.file(string(name))
	if !known {
		return false
	}
	if !found {
		p.store(errnoAt, noEntry, 32, 4)
		return p.gives(o, -1)
	}
	at := int64(3)
	for p.openedAt(at) != nil {
		at++
	}
	p.opened = append(p.opened, opened{at: at, name: string(name), source: source{text: text}})
	return p.gives(o, at)
}

func closesDescriptor(p *Path, o *operation) bool {
	s := p.openedAt(p.arg(o, 0))
	if s == nil {
		return false
	}
	s.closed = true
	return p.gives(o, 0)
}

// fromDescriptor is from of a descriptor; the standard input is known as long as no stream reads it.
func (p *Path) fromDescriptor(o *operation, reads func() bool) bool {
	if at := p.arg(o, 0); at != 0 && p.openedAt(at) == nil {
		return false
	}
	if p.openedAt(p.arg(o, 0)) == nil {
		return p.given != nil && !p.buffered && reads()
	}
	return p.from(o, 0, reads)
}

func readsDescriptor(p *Path, o *operation) bool {
	return p.fromDescriptor(o, func() bool {
		at, n := p.arg(o, 1), p.arg(o, 2)
		if p.given == nil || n < 0 || n > mostCopied {
			return false
		}
		text := p.rest()
		text = text[:min(int64(len(text)), n)]
		if p.Trapped = len(text) > 0 && nearNull(at); p.Trapped {
			return true
		}
		p.source.taken += len(text)
		p.putBytes(at, text)
		return p.gives(o, int64(len(text)))
	})
}

// writesDescriptor is write. What a stream has not written yet comes behind it.
func writesDescriptor(p *Path, o *operation) bool {
	to, at, n := p.arg(o, 0), p.arg(o, 1), p.arg(o, 2)
	if to != 1 && to != 2 || n < 0 || nearNull(at) || n > mostPrinted || to == 1 && p.flushed < len(p.Transcript.Printed) {
		return false
	}
	text := make([]byte, n)
	for k := range text {
		text[k] = byte(p.read(at+int64(k), 8, 1))
	}
	if p.show(hashOf(text)); to == 1 {
		p.Transcript.prints(text...)
		p.flushed = len(p.Transcript.Printed)
	}
	return p.gives(o, n)
}

func seeksDescriptor(p *Path, o *operation) bool {
	s := p.openedAt(p.arg(o, 0))
	return s != nil && p.given != nil && p.from(o, 0, func() bool {
		to := p.target(o)
		if to < 0 {
			return p.gives(o, -1)
		}
		return p.moves(to) && p.gives(o, to)
	})
}

// flushes is fflush: of the standard output, or of all streams where it is given none. Another is let be.
func flushes(p *Path, o *operation) bool {
	if to := p.arg(o, 0); p.Transcript != nil && (to == 0 || to == p.program.variables["stdout"]) {
		p.flushed = len(p.Transcript.Printed)
	}
	return p.gives(o, 0)
}

// leavesAtOnce is _exit, which loses what was not written.
func leavesAtOnce(p *Path, o *operation) bool {
	if p.Transcript != nil && p.flushed < len(p.Transcript.Printed) {
		p.guess()
	}
	return leaves(p, o)
}

// surroundings are variables of the environment that most users have.
var surroundings = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "PWD", "OLDPWD", "HOSTNAME", "TZ",
	"DISPLAY", "EDITOR", "VISUAL", "PAGER", "MAIL", "SHLVL", "TMPDIR", "COLORTERM"}

// looksAround is getenv: a variable that users do not have is not there.
func looksAround(p *Path, o *operation) bool {
	name, ok := p.text(p.arg(o, 0))
	if !ok {
		return true
	}
	if text := string(name); slices.Contains(surroundings, text) || strings.HasPrefix(text, "LC_") || strings.HasPrefix(text, "XDG_") {
		return false
	}
	return p.gives(o, 0)
}

// setsLocale is setlocale of a machine that knows only the locale C.
func setsLocale(p *Path, o *operation) bool {
	at := p.allocate(anySize)
	p.putText(at, []byte("C"))
	return p.gives(o, at)
}
