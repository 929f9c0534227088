package tce

import (
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// ModuleText is a whole module as clones see it, in its own names, for the
// slow twin: what opt would be given for one mutant alone.
func ModuleText(m *ir.Module, passes PassList) (string, error) {
	h := headerOf(m, worldOf(equiv.Program{Modules: []*ir.Module{m}}), passes.Trust < TrustEverything)
	guards := map[string]string{}
	var bodies strings.Builder
	for k, f := range m.Functions() {
		t, err := newTemplate(f, &printer{trust: passes.Trust, function: k, declares: guards, header: h})
		if err != nil {
			return "", err
		}
		delete(h.entries, f.Ident())
		t.define(&bodies, f.Ident(), "", t.body(nil))
	}
	// All that the module has stands in its text, used or not.
	names := globalsIn(bodies.String())
	for name := range h.entries {
		names = append(names, name)
	}
	var text strings.Builder
	h.write(&text, names, guards)
	return text.String() + bodies.String(), nil
}

// Canonical returns the canonical text of every function of a module.
func Canonical(text string) map[string]string {
	o := takeApart(text, map[string]bool{"%struct.a": true, "%struct.b": true}, func(name string) bool { return name == "@known" })
	out := map[string]string{}
	for name, f := range o.functions {
		out[name] = string(o.canonical(f))
	}
	return out
}

// Windows are the runs of blocks that become windows.
func Windows(f *llir.Func, mutants []mutant.Mutant, most int) [][]*llir.Block {
	return cut(shapeOf(f, mutants, most).blocks, most)
}

// BatchesOf are the mutants of a module by function, with a place for the verdicts.
var BatchesOf = functionsOf
