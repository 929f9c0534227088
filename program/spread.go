package program

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

// spread chooses mutants so that about as many are left as asked for, and that every
// part of the program has its share: the lines that a tester looks at are what
// there should be many of, not the mutants of one line (Petrovic and Ivankovic,
// State of Mutation Testing at Google, 2018, show one a line). The choice depends on
// names and ids alone. Code that a file's being included again makes follows the first: its mutants are
// those that are the same change.
type spread struct {
	// each is how many mutants every line has at most, and more the share of the lines, of
	// 2^32, that have one more.
	each int
	more uint64
	// keep are ids of mutants that are kept in any case.
	keep map[string]bool
	// unreached says which lines have no more than one mutant, and unreachedMore which share of
	// them, of 2^32, has one.
	unreached     func(file string, line int) bool
	unreachedMore uint64
	// room is most of the lines that wants was asked about, least the least ids of the function's
	// that it has seen, no more than there is room for.
	room  map[line]int
	least map[line][]string
	// chosen are the ids that were kept.
	chosen map[string]bool
}

// line is a line of a file.
type line struct {
	file string
	line int
}

// unreachedPart of the mutants are on lines that no test runs, at most.
const unreachedPart = 5

// newSpread counts the program's lines that are asked for and divides what is wanted among them,
// where Most is a bound, and gives no line more than PerLine, where that is one.
func newSpread(p *Program, opts *Mutation, asked *scope.Scope) *spread {
	s := &spread{keep: opts.Keep, unreached: opts.Unreached, room: map[line]int{}, least: map[line][]string{}, chosen: map[string]bool{}}
	if opts.Most == 0 {
		s.each, s.unreached = opts.PerLine, nil
		return s
	}
	lines := map[line]bool{}
	for _, u := range p.Units {
		for _, f := range u.Module.Functions() {
			for _, b := range f.Blocks {
				for _, inst := range b.Insts {
					if at := ir.PositionOf(inst); at.Known() && u.Input.mutates(at.File, at.Line) && !lines[line{at.File, at.Line}] {
						d := asked.Decide(&mutant.Mutant{File: at.File, Function: f.Name(), Line: at.Line})
						lines[line{at.File, at.Line}] = d.Keep() || d.By == scope.BySource
					}
				}
			}
		}
	}
	maps.DeleteFunc(lines, func(_ line, is bool) bool { return !is })
	most := opts.Most
	if opts.Unreached != nil {
		unreached := 0
		for at := range lines {
			if opts.Unreached(at.file, at.line) {
				unreached++
				delete(lines, at)
			}
		}
		part := min(unreached, most/unreachedPart)
		if len(lines) == 0 {
			part = min(unreached, most)
		}
		most -= part
		s.unreachedMore = shareOf(part, unreached)
	}
	count := max(1, len(lines))
	s.each, s.more = most/count, shareOf(most%count, count)
	if opts.PerLine > 0 && s.each >= opts.PerLine {
		s.each, s.more = opts.PerLine, 0
	}
	return s
}

// shareOf is a part of a whole, of 2^32.
func shareOf(part, whole int) uint64 { return uint64(part) << 32 / uint64(max(1, whole)) }

// wants reports whether choose may keep a mutant of the current function, of which it was asked about
// those before: not if the line has its number of lesser ids already.
func (s *spread) wants(id, file string, number int) bool {
	if first, is := mutant.CopiedFrom(id); is {
		return s.chosen[first] || s.keep[id]
	}
	at := line{file, number}
	most, known := s.room[at]
	if !known {
		most = s.most(file, number)
		s.room[at] = most
	}
	least := s.least[at]
	if len(least) == most && (most == 0 || least[most-1] <= id) {
		return s.keep[id]
	}
	place, _ := slices.BinarySearch(least, id)
	least = slices.Insert(least, place, id)
	s.least[at] = least[:min(len(least), most)]
	return true
}

// choose keeps some of a function's mutants, in their order. It is the last that is asked about the
// function.
func (s *spread) choose(mutants []mutant.Mutant) []mutant.Mutant {
	clear(s.least)
	byLine := map[line][]*mutant.Mutant{}
	kept := map[string]bool{}
	for i := range mutants {
		if first, is := mutant.CopiedFrom(mutants[i].ID); is {
			kept[mutants[i].ID] = s.chosen[first]
			continue
		}
		at := line{mutants[i].File, mutants[i].Line}
		byLine[at] = append(byLine[at], &mutants[i])
	}
	for at, list := range byLine {
		most := s.most(at.file, at.line)
		slices.SortFunc(list, func(a, b *mutant.Mutant) int { return cmp.Compare(a.ID, b.ID) })
		for _, m := range list[:min(len(list), most)] {
			kept[m.ID] = true
		}
	}
	mutants = slices.DeleteFunc(mutants, func(m mutant.Mutant) bool { return !kept[m.ID] && !s.keep[m.ID] })
	for i := range mutants {
		s.chosen[mutants[i].ID] = true
	}
	return mutants
}

// most is how many mutants a line has at most.
func (s *spread) most(file string, line int) int {
	most, more := s.each, s.more
	if s.unreached != nil && s.unreached(file, line) {
		most, more = 0, s.unreachedMore
	}
	if within(more, file, line) {
		most++
	}
	return most
}

// within says whether a line is of a share of them. Those of a small share are among those of a
// larger one.
func within(share uint64, file string, line int) bool {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(file)) // a hash takes everything
	_, _ = hash.Write([]byte{byte(line), byte(line >> 8), byte(line >> 16)})
	// The last bytes move the low bits of FNV alone.
	return uint64(hash.Sum32()*0x9e3779b1) < share
}
