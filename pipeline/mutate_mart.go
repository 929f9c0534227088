package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/report"
)

// mart writes what Mart's tools read: its description of the mutants, of those
// that were removed, and its line of counts. Kept mutants have their selectors
// as ids, removed ones the numbers after them.
func (w *mutantsWriter) mart() error {
	places := placesOf(w.p)
	kept, removed := map[string]report.MartMutant{}, map[string]report.MartEqual{}
	selector := map[string]int32{}
	mutants := w.p.Mutants()
	for i := range mutants {
		m := &mutants[i]
		selector[m.ID] = m.Selector
		kept[strconv.Itoa(int(m.Selector))] = places.describe(m)
	}
	next := len(mutants) + 1
	for i := range w.p.Removed {
		r := &w.p.Removed[i]
		if r.Kind == equiv.Invalid {
			continue // no mutant at all to Mart
		}
		removed[strconv.Itoa(next)] = report.MartEqual{
			MartMutant: places.describe(&r.Mutant), EquivalentDuplicateOf: strconv.Itoa(int(selector[r.Of]))}
		next++
	}
	for name, v := range map[string]any{martFile: kept, martEqualTo: removed} {
		text, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		if err := atomicfile.Write(w.path(name), append(text, '\n')); err != nil {
			return err
		}
	}
	counts := fmt.Sprintf("# Number of Mutants:   PreTCE: %d, PostTCE: %d, Equivalent: %d, Duplicates: %d\n",
		len(mutants)+len(removed), len(mutants), w.p.Count(equiv.Equivalent), w.p.Count(equiv.Duplicate))
	return atomicfile.Write(w.path(martCounts), []byte(counts))
}

// places are the positions of instructions and terminators in their functions,
// from 0.
type places map[any]int

func placesOf(p *Program) places {
	out := places{}
	for _, u := range p.Units {
		for _, f := range u.Module.Functions() {
			n := 0
			for _, b := range f.Blocks {
				for _, inst := range b.Insts {
					out[inst] = n
					n++
				}
				out[b.Term] = n
				n++
			}
		}
	}
	return out
}

func (p places) describe(m *mutant.Mutant) report.MartMutant {
	out := report.MartMutant{Type: typeOf(m), FuncName: m.Function, IRPosInFunc: []int{}}
	touch := func(what any) {
		if at, ok := p[what]; ok {
			out.IRPosInFunc = append(out.IRPosInFunc, at)
		}
	}
	for _, inst := range m.Site.Touched {
		touch(llir.Instruction(inst))
	}
	if m.Site.Term != nil {
		touch(m.Site.Term)
	}
	slices.Sort(out.IRPosInFunc)
	if m.Line > 0 {
		out.SrcLoc = fmt.Sprintf("%s:%d:%d", relative("", m.File), m.Line, m.Column)
	}
	return out
}

// typeOf is the name of a mutant's rule; of its fragments where the rule has no
// name.
func typeOf(m *mutant.Mutant) string {
	if m.Rule != "" {
		return m.Rule
	}
	return m.Type()
}
