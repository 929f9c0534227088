package concrete

import "bytes"

// moreTextFunctions are those that fewer programs use: known where paths are exact, as the rest of
// exactFunctions is.
var moreTextFunctions = map[string]library{
	"strncat": appendsBounded,
	"strdup":  func(p *Path, o *operation) bool { return p.duplicates(o, longestText) },
	"strndup": func(p *Path, o *operation) bool { return p.duplicates(o, p.arg(o, 1)) },
	"strnlen": func(p *Path, o *operation) bool {
		return p.ofText(o, func(s []byte) int64 { return max(0, min(int64(len(s)), p.arg(o, 1))) })
	},
	"stpcpy":           copiesToEnd,
	"memchr":           findsByte,
	"strcasecmp":       func(p *Path, o *operation) bool { return p.comparesFolded(o, longestText) },
	"strncasecmp":      func(p *Path, o *operation) bool { return p.comparesFolded(o, p.arg(o, 2)) },
	"strtok_r":         nextTokenOf,
	"bsearch":          searches,
	"isxdigit":         ofClass(hexDigit),
	"isprint":          ofClass(printing),
	"isgraph":          ofClass(graphic),
	"iscntrl":          ofClass(control),
	"isblank":          ofClass(blank),
	"getenv":           looksAround,
	"setlocale":        setsLocale,
	"signal":           func(p *Path, o *operation) bool { return p.gives(o, 0) },
	"setbuf":           func(*Path, *operation) bool { return true },
	"setvbuf":          func(p *Path, o *operation) bool { return p.gives(o, 0) },
	"__errno_location": func(p *Path, o *operation) bool { return p.gives(o, errnoAt) },
}

func appendsBounded(p *Path, o *operation) bool {
	a, b, ok := p.texts(o)
	if !ok {
		return true
	}
	p.putText(p.arg(o, 0)+int64(len(a)), b[:max(0, min(int64(len(b)), p.arg(o, 2)))])
	return p.gives(o, p.arg(o, 0))
}

func (p *Path) duplicates(o *operation, most int64) bool {
	text, ok := p.text(p.arg(o, 0))
	if !ok {
		return true
	}
	text = text[:max(0, min(int64(len(text)), most))]
	at := p.allocate(int64(len(text)) + 1)
	p.putText(at, text)
	return p.gives(o, at)
}

func copiesToEnd(p *Path, o *operation) bool {
	text, ok := p.text(p.arg(o, 1))
	if !ok {
		return true
	}
	p.putText(p.arg(o, 0), text)
	return p.gives(o, p.arg(o, 0)+int64(len(text)))
}

func findsByte(p *Path, o *operation) bool {
	at, b, n := p.arg(o, 0), byte(p.arg(o, 1)), p.arg(o, 2)
	if p.Trapped = n > 0 && nearNull(at); p.Trapped {
		return true
	}
	for k := range min(n, mostCopied) {
		if byte(p.read(at+k, 8, 1)) == b {
			return p.gives(o, at+k)
		}
		if p.Guessed {
			break
		}
	}
	return p.gives(o, 0)
}

func (p *Path) comparesFolded(o *operation, n int64) bool {
	a, b, ok := p.texts(o)
	if !ok {
		return true
	}
	a, b = a[:max(0, min(n, int64(len(a))))], b[:max(0, min(n, int64(len(b))))]
	return p.gives(o, difference(bytes.ToLower(a), bytes.ToLower(b)))
}

// nextTokenOf is strtok_r: the third argument says where it is kept where it goes on.
func nextTokenOf(p *Path, o *operation) bool {
	keep := p.arg(o, 2)
	if p.Trapped = nearNull(keep); p.Trapped {
		return true
	}
	before := p.tokens
	if p.tokens = 0; p.arg(o, 0) == 0 {
		p.tokens = p.read(keep, pointer, 8)
	}
	ok := nextToken(p, o)
	p.store(keep, p.tokens, pointer, 8)
	p.tokens = before
	return ok
}

// searches is bsearch, in the order of glibc, which is that in which the comparisons are made.
func searches(p *Path, o *operation) bool {
	key, base, n, size := p.arg(o, 0), p.arg(o, 1), p.arg(o, 2), p.arg(o, 3)
	compare := p.function(p.arg(o, 4))
	if compare == nil || size <= 0 || n < 0 || n > mostCopied || len(compare.code.Func.Params) != 2 {
		return false
	}
	for lo, hi := int64(0), n; lo < hi; {
		middle := (lo + hi) / 2
		x, ok := p.ask(compare, []int64{key, base + middle*size})
		switch {
		case !ok:
			return true
		case int32(x) < 0:
			hi = middle
		case int32(x) > 0:
			lo = middle + 1
		default:
			return p.gives(o, base+middle*size)
		}
	}
	return p.gives(o, 0)
}
