package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// mart writes what Mart's tools read: its description of the mutants, of those
// that were removed, and its line of counts. Kept mutants have their selectors
// as ids, removed ones the numbers after them.
func (w *writer) mart() error {
	places := placesOf(w.p)
	selector := map[string]int32{}
	var kept []*mutant.Mutant
	for _, u := range w.p.Units {
		for i := range u.Mutants {
			m := &u.Mutants[i]
			selector[m.ID] = m.Selector
			kept = append(kept, m)
		}
	}
	var removed []*program.Removed
	for i := range w.p.Removed {
		if r := &w.p.Removed[i]; r.Kind != equiv.Invalid { // which is no mutant at all to Mart
			removed = append(removed, r)
		}
	}
	if err := writeNumbered(w.path(martFile), 1, kept, func(m *mutant.Mutant) any { return places.describe(m) }); err != nil {
		return err
	}
	err := writeNumbered(w.path(martEqualTo), len(kept)+1, removed, func(r *program.Removed) any {
		return report.MartEqual{MartMutant: places.describe(&r.Mutant), EquivalentDuplicateOf: strconv.Itoa(int(selector[r.Of]))}
	})
	if err != nil {
		return err
	}
	counts := fmt.Sprintf("# Number of Mutants:   PreTCE: %d, PostTCE: %d, Equivalent: %d, Duplicates: %d\n",
		len(kept)+len(removed), len(kept), w.p.Count(equiv.Equivalent), w.p.Count(equiv.Duplicate))
	return atomicfile.Write(w.path(martCounts), []byte(counts))
}

// writeNumbered writes a JSON object of items by number, from first on, as
// encoding/json writes a map, but with one item in memory at a time.
func writeNumbered[T any](path string, first int, items []T, describe func(T) any) error {
	keys := make([]string, len(items))
	for i := range keys {
		keys[i] = strconv.Itoa(first + i)
	}
	slices.Sort(keys)
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	out := bufio.NewWriter(f)
	out.WriteString("{") // Flush tells of its errors
	for i, key := range keys {
		n, _ := strconv.Atoi(key)
		text, err := json.MarshalIndent(describe(items[n-first]), " ", " ")
		if err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		if i > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(out, "\n %q: %s", key, text)
	}
	if len(keys) > 0 {
		out.WriteString("\n")
	}
	out.WriteString("}\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return f.Commit()
}

// places are the positions of instructions and terminators in their functions,
// from 0.
type places map[any]int

func placesOf(p *program.Program) places {
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
		out.SrcLoc = fmt.Sprintf("%s:%d:%d", paths.Relative("", m.File), m.Line, m.Column)
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
