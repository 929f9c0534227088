package operator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
)

// idMaker names the mutants of a module. An id is a hash of the names of the
// file that it is in and of the function, the text of the statement, the
// mutant's type and its C texts, white space left out, and of how many mutants
// with the same of all these came before in the function: so the id survives
// edits anywhere else, and reformatting.
type idMaker struct {
	module string // base name of the source file
	taken  map[id]struct{}
}

// id is the bytes of an id.
type id [6]byte

// functionIDs counts equal mutants within a function.
type functionIDs struct {
	*idMaker
	function string
	seen     map[string]int
}

func (m *idMaker) in(function string) *functionIDs {
	return &functionIDs{idMaker: m, function: function, seen: map[string]int{}}
}

func (m *functionIDs) next(file, context string, p Proposal) string {
	module := m.module
	if path.Base(file) != module {
		module = path.Base(file) // a header's code has the same ids in each file that includes it
	}
	key := strings.Join([]string{module, path.Base(file), m.function, squeeze(context),
		p.Matcher, p.Replacer, squeeze(p.Original.C), squeeze(p.Replacement.C)}, "\x00")
	for {
		n := m.seen[key]
		m.seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, n))
		own := id(sum[:])
		if _, taken := m.taken[own]; !taken {
			m.taken[own] = struct{}{}
			return hex.EncodeToString(own[:])
		}
	}
}

// squeeze leaves out white space that is not part of a string or character
// literal.
func squeeze(c string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(c); i++ {
		switch {
		case quote != 0 && c[i] == '\\' && i+1 < len(c):
			b.WriteByte(c[i])
			i++
		case quote != 0 && c[i] == quote:
			quote = 0
		case quote == 0 && (c[i] == '"' || c[i] == '\''):
			quote = c[i]
		case quote == 0 && strings.IndexByte(" \t\n\r\v\f", c[i]) >= 0:
			continue
		}
		b.WriteByte(c[i])
	}
	return b.String()
}
