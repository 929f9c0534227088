package concrete

import "bytes"

// optionFunctions are POSIX.1-2017's getopt and GNU's getopt_long, as glibc has them: arguments that
// are no options go behind those that are, unless the list of options begins with '+' or '-'.
var optionFunctions = map[string]library{
	"getopt":      func(p *Path, o *operation) bool { return p.nextOption(o, false) },
	"getopt_long": func(p *Path, o *operation) bool { return p.nextOption(o, true) },
}

// optionVariables are what these share with the program, with what they hold at first. Their messages
// go to the standard error, which nobody looks at, so that opterr is read by nobody.
var optionVariables = map[string]struct{ x, size int64 }{
	"optarg": {0, 8}, "optind": {1, 4}, "opterr": {1, 4}, "optopt": {'?', 4},
}

// options is where a path is among the arguments of its program.
type options struct {
	begun bool
	// index is optind where the program does not name that.
	index int64
	// next is the rest of an argument that holds more than one option, 0 where the next argument comes.
	next int64
	// Between first and last are arguments that were passed over since they are no options.
	first, last int64
	// order is '-' where those are told like options, '+' where the first of them is the end.
	order byte
}

func (p *Path) optionIndex() int64 {
	if at, named := p.program.variables["optind"]; named {
		return p.read(at, 32, 4)
	}
	return p.options.index
}

func (p *Path) setOptionIndex(x int64) {
	p.options.index = x
	if at, named := p.program.variables["optind"]; named {
		p.store(at, x, 32, 4)
	}
}

func (p *Path) setOption(name string, x int64) {
	if at, named := p.program.variables[name]; named {
		size := optionVariables[name].size
		as := kind(32)
		if size == 8 {
			as = pointer
		}
		p.store(at, x, as, uint8(size))
	}
}

// optionCall is one call of getopt.
type optionCall struct {
	*Path
	argc, argv int64
	letters    []byte // without what says the order
	long       int64  // the table of long options, 0 for none
	place      int64  // where the number of the one that was found goes, 0 for nowhere
}

func (p *Path) nextOption(o *operation, long bool) bool {
	if len(o.args) < 4 || long && len(o.args) < 6 {
		return false
	}
	letters, ok := p.text(p.arg(o, 2))
	if !ok {
		return true
	}
	c := optionCall{Path: p, argc: p.arg(o, 0), argv: p.arg(o, 1), letters: bytes.Clone(letters)}
	if long {
		c.long, c.place = p.arg(o, 3), p.arg(o, 4)
	}
	if c.argc < 1 {
		return p.gives(o, -1)
	}
	if c.argc > mostCopied || long && bytes.Contains(letters, []byte("W;")) { // -W, for long options
		return false
	}
	x := c.next()
	return p.Trapped || p.gives(o, x)
}

func (c *optionCall) argument(k int64) int64 { return c.read(c.argv+8*k, pointer, 8) }

func (c *optionCall) character(at int64) byte { return byte(c.read(at, 8, 1)) }

// isNone says that an argument is no option: "-" is the name of the standard input.
func (c *optionCall) isNone(k int64) bool {
	at := c.argument(k)
	if c.Trapped = c.Trapped || nearNull(at); c.Trapped {
		return true
	}
	return c.character(at) != '-' || c.character(at+1) == 0
}

// begin reads how the letters say in which order options and other arguments come.
func (c *optionCall) begin() {
	s := &c.options
	if !s.begun || c.optionIndex() == 0 {
		if c.optionIndex() == 0 {
			c.setOptionIndex(1)
		}
		*s = options{begun: true, index: c.optionIndex(), first: c.optionIndex(), last: c.optionIndex()}
		if len(c.letters) > 0 && (c.letters[0] == '-' || c.letters[0] == '+') {
			s.order = c.letters[0]
		}
	}
	if s.order != 0 && len(c.letters) > 0 && (c.letters[0] == '-' || c.letters[0] == '+') {
		c.letters = c.letters[1:]
	}
}

// missing is what a call returns whose option lacks its argument.
func (c *optionCall) missing() int64 {
	if len(c.letters) > 0 && c.letters[0] == ':' {
		return ':'
	}
	return '?'
}

func (c *optionCall) next() int64 {
	c.setOption("optarg", 0)
	c.begin()
	s := &c.options
	if s.next == 0 || c.character(s.next) == 0 {
		at, is := c.nextArgument()
		if !is || c.Trapped {
			return at
		}
		text := c.argument(at)
		if c.long != 0 && c.character(text+1) == '-' {
			return c.longOption(text + 2)
		}
		s.next = text + 1
	}
	return c.letter()
}

// nextArgument goes on to the next argument that is an option; false with what the call returns where
// there is none.
func (c *optionCall) nextArgument() (int64, bool) {
	s, at := &c.options, c.optionIndex()
	s.last, s.first = min(s.last, at), min(s.first, at)
	if s.order == 0 {
		c.putBehind(at)
		for at < c.argc && c.isNone(at) {
			at++
		}
		s.last = at
	}
	if at < c.argc && c.isEnd(at) {
		at++
		c.putBehind(at)
		s.last, at = c.argc, c.argc
	}
	c.setOptionIndex(at)
	switch {
	case at >= c.argc:
		if s.first != s.last {
			c.setOptionIndex(s.first)
		}
		return -1, false
	case !c.isNone(at):
		return at, true
	case s.order == '+':
		return -1, false
	}
	c.setOption("optarg", c.argument(at))
	c.setOptionIndex(at + 1)
	return 1, false
}

// isEnd says that an argument is "--".
func (c *optionCall) isEnd(k int64) bool {
	at := c.argument(k)
	if c.Trapped = c.Trapped || nearNull(at); c.Trapped {
		return false
	}
	return c.character(at) == '-' && c.character(at+1) == '-' && c.character(at+2) == 0
}

// putBehind puts the arguments that were passed over behind those that came after them, up to one.
func (c *optionCall) putBehind(end int64) {
	s := &c.options
	if s.first == s.last {
		s.first = end
		return
	}
	if s.last == end {
		return
	}
	var order []int64
	for k := s.last; k < end; k++ {
		order = append(order, c.argument(k))
	}
	for k := s.first; k < s.last; k++ {
		order = append(order, c.argument(k))
	}
	for k, at := range order {
		c.store(c.argv+8*(s.first+int64(k)), at, pointer, 8)
	}
	s.first, s.last = s.first+end-s.last, end
}

// letter is the option that is next in an argument.
func (c *optionCall) letter() int64 {
	s := &c.options
	x := c.character(s.next)
	s.next++
	last := c.character(s.next) == 0
	at := c.optionIndex()
	if last {
		at++
		c.setOptionIndex(at)
	}
	k := bytes.IndexByte(c.letters, x)
	if k < 0 || x == ':' || x == ';' {
		c.setOption("optopt", int64(x))
		return '?'
	}
	rest := c.letters[k+1:]
	if len(rest) == 0 || rest[0] != ':' {
		return int64(x)
	}
	optional := len(rest) > 1 && rest[1] == ':'
	text := s.next
	s.next = 0
	switch {
	case !last:
		c.setOption("optarg", text)
		c.setOptionIndex(at + 1)
	case optional:
	case at >= c.argc:
		c.setOption("optopt", int64(x))
		return c.missing()
	default:
		c.setOption("optarg", c.argument(at))
		c.setOptionIndex(at + 1)
	}
	return int64(x)
}

// longOptionOf is an entry of the table of long options (struct option of <getopt.h>, 32 bytes).
type longOptionOf struct{ hasArgument, flag, value int64 }

const mostLongOptions = 256

// find is the entry that a name, or the beginning of one, stands for, with its number; -1 for none.
func (c *optionCall) find(name []byte) (entry longOptionOf, number int64) {
	number = -1
	several := false
	for k := range int64(mostLongOptions) {
		at := c.long + 32*k
		text := c.read(at, pointer, 8)
		if text == 0 || c.Guessed {
			break
		}
		full, ok := c.text(text)
		if !ok || !bytes.HasPrefix(full, name) {
			continue
		}
		e := longOptionOf{c.read(at+8, 32, 4), c.read(at+16, pointer, 8), c.read(at+24, 32, 4)}
		if len(full) == len(name) {
			return e, k
		}
		if number < 0 {
			entry, number = e, k
		} else if e != entry {
			several = true
		}
	}
	if several {
		return entry, -1
	}
	return entry, number
}

// longOption is one whose name begins at an address.
func (c *optionCall) longOption(from int64) int64 {
	text, ok := c.text(from)
	if !ok {
		return 0
	}
	name, _, given := bytes.Cut(bytes.Clone(text), []byte("="))
	e, number := c.find(name)
	at := c.optionIndex() + 1
	c.setOptionIndex(at)
	c.options.next = 0
	if number < 0 {
		c.setOption("optopt", 0)
		return '?'
	}
	switch {
	case given && e.hasArgument == 0:
		c.setOption("optopt", e.value)
		return '?'
	case given:
		c.setOption("optarg", from+int64(len(name))+1)
	case e.hasArgument != 1:
	case at >= c.argc:
		c.setOption("optopt", e.value)
		return c.missing()
	default:
		c.setOption("optarg", c.argument(at))
		c.setOptionIndex(at + 1)
	}
	if c.place != 0 {
		c.store(c.place, number, 32, 4)
	}
	if e.flag == 0 {
		return e.value
	}
	c.store(e.flag, e.value, 32, 4)
	return 0
}
