package program

import (
	"cmp"
	"hash/fnv"
	"slices"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// spread chooses mutants so that about as many are left as asked for, and that every
// part of the program has its share: the lines that a tester looks at are what
// there should be many of, not the mutants of one line (Petrovic and Ivankovic,
// State of Mutation Testing at Google, 2018, show one a line). The choice depends on
// names and ids alone.
type spread struct {
	perLine int
	// share of the lines that have mutants at all, of 2^32.
	share uint64
}

// newSpread counts the program's lines and divides what is wanted among them, where most
// is a bound, and gives no line more than perLine, where that is one.
func newSpread(p *Program, most, perLine int) *spread {
	if most == 0 {
		return &spread{perLine: perLine, share: 1 << 32}
	}
	type line struct {
		file string
		line int
	}
	lines := map[line]bool{}
	for _, u := range p.Units {
		if u.Input.Harness {
			continue
		}
		for _, f := range u.Module.Functions() {
			for _, b := range f.Blocks {
				for _, inst := range b.Insts {
					if at := ir.PositionOf(inst); at.Known() {
						lines[line{at.File, at.Line}] = true
					}
				}
			}
		}
	}
	s := &spread{perLine: max(1, most/max(1, len(lines))), share: 1 << 32}
	if len(lines) > most {
		s.share = s.share * uint64(most) / uint64(len(lines))
	}
	if perLine > 0 {
		s.perLine = min(s.perLine, perLine)
	}
	return s
}

// choose keeps some of a function's mutants, in their order.
func (s *spread) choose(mutants []mutant.Mutant) []mutant.Mutant {
	byLine := map[int][]*mutant.Mutant{}
	for i := range mutants {
		byLine[mutants[i].Line] = append(byLine[mutants[i].Line], &mutants[i])
	}
	kept := map[string]bool{}
	for number, list := range byLine {
		if !s.takes(list[0].File, number) {
			continue
		}
		slices.SortFunc(list, func(a, b *mutant.Mutant) int { return cmp.Compare(a.ID, b.ID) })
		for _, m := range list[:min(len(list), s.perLine)] {
			kept[m.ID] = true
		}
	}
	return slices.DeleteFunc(mutants, func(m mutant.Mutant) bool { return !kept[m.ID] })
}

func (s *spread) takes(file string, line int) bool {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(file)) // a hash takes everything
	_, _ = hash.Write([]byte{byte(line), byte(line >> 8), byte(line >> 16)})
	// The last bytes move the low bits of FNV alone.
	return uint64(hash.Sum32()*0x9e3779b1) < s.share
}
