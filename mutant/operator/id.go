package operator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
)

// idMaker names the mutants of a module. An id is a hash of the names of the
// file that it is in and of the function, the text of the statement, the
// mutant's type and its C texts, white space left out, and of how many mutants
// with the same of all these came before in the function: so the id survives
// edits anywhere else, and reformatting. Who changes a file that a module includes
// several times changes all that it makes there: the copies of a function have
// its ids, with their number behind.
type idMaker struct {
	module string // base name of the source file
	copies map[string]copied
	taken  map[id]struct{}
}

// id is the bytes of an id, and the number of the copy.
type id struct {
	hash [6]byte
	copy uint16
}

func (i id) String() string {
	if i.copy == 0 {
		return hex.EncodeToString(i.hash[:])
	}
	return fmt.Sprintf("%s-x%d", hex.EncodeToString(i.hash[:]), i.copy)
}

func newIDMaker(m *ir.Module) *idMaker {
	return &idMaker{path.Base(m.LLVM.SourceFilename), copiesOf(m.Functions()), map[id]struct{}{}}
}

// functionIDs counts equal mutants within a function.
type functionIDs struct {
	*idMaker
	copied
	seen map[string]int
}

func (m *idMaker) in(function string) *functionIDs {
	as, is := m.copies[function]
	if !is {
		as = copied{of: function}
	}
	return &functionIDs{idMaker: m, copied: as, seen: map[string]int{}}
}

func (m *functionIDs) next(file, context string, p Proposal) string {
	module := m.module
	if path.Base(file) != module {
		module = path.Base(file) // a header's code has the same ids in each file that includes it
	}
	key := strings.Join([]string{module, path.Base(file), m.of, squeeze(context),
		p.Matcher, p.Replacer, squeeze(p.Original.C), squeeze(p.Replacement.C)}, "\x00")
	for {
		n := m.seen[key]
		m.seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, n))
		own := id{[6]byte(sum[:]), m.number}
		if _, taken := m.taken[own]; !taken {
			m.taken[own] = struct{}{}
			return own.String()
		}
	}
}

// copied says of which function another is a copy, and which of its copies, from 1.
type copied struct {
	of     string
	number uint16
}

// copiesOf finds the functions that stand at the place of another: their file is included several times, with
// macros that give them other names. What one use of a macro makes stands on one line, and is no copy.
func copiesOf(all []*llir.Func) map[string]copied {
	out := map[string]copied{}
	first, count := map[ir.Position]string{}, map[string]uint16{}
	for _, f := range all {
		at := ir.DefinitionOf(f)
		if !at.Known() || !isOfSeveralLines(f, at.Line) {
			continue
		}
		of, is := first[at]
		if !is {
			first[at] = f.Name()
			continue
		}
		count[of]++
		out[f.Name()] = copied{of, count[of]}
	}
	return out
}

func isOfSeveralLines(f *llir.Func, from int) bool {
	return slices.ContainsFunc(f.Blocks, func(b *llir.Block) bool {
		return slices.ContainsFunc(b.Insts, func(inst llir.Instruction) bool {
			at := ir.PositionOf(inst)
			return at.Known() && at.Line != from
		})
	})
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
