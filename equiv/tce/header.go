package tce

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/ir"
)

// header holds what clones refer to outside themselves. Functions are
// declared, never defined, so that a clone's calls stay calls (a recursive one
// calls the original by name), and variables have no known value.
type header struct {
	// prelude is the target and the named types.
	prelude string
	// types are the names of the named types, as they are written.
	types map[string]bool
	// entries are the declarations of the module's globals, by name.
	entries map[string]entry
	// world and strict decide which names can be seen through.
	world  *world
	strict bool
}

type entry struct {
	text string
	// needs are the globals that the text refers to.
	needs []string
}

func headerOf(m *ir.Module, w *world, strict bool) *header {
	h := &header{types: map[string]bool{}, entries: map[string]entry{}, world: w, strict: strict}
	mod := m.LLVM
	var text strings.Builder
	if mod.DataLayout != "" {
		fmt.Fprintf(&text, "target datalayout = %q\n", mod.DataLayout)
	}
	if mod.TargetTriple != "" {
		fmt.Fprintf(&text, "target triple = %q\n", mod.TargetTriple)
	}
	for _, t := range mod.TypeDefs {
		h.types[t.String()] = true
		fmt.Fprintf(&text, "%s = type %s\n", t, t.LLString())
	}
	h.prelude = text.String()
	for _, g := range mod.Globals {
		h.add(g.Ident(), variable(g))
	}
	for _, f := range mod.Funcs {
		if !strings.HasPrefix(f.Name(), "llvm.dbg.") {
			h.add(f.Ident(), h.declaration(f))
		}
	}
	for _, a := range mod.Aliases {
		h.add(a.Ident(), stranger(a.Ident(), a.Aliasee.Type()))
	}
	for _, i := range mod.IFuncs {
		h.add(i.Ident(), stranger(i.Ident(), i.Type()))
	}
	return h
}

func (h *header) add(name, text string) {
	needs := globalsIn(text)
	h.entries[name] = entry{text, slices.DeleteFunc(needs, func(n string) bool { return n == name })}
}

// variable declares a global variable. Only constants keep their value, which
// no mutant can change.
func variable(g *llir.Global) string {
	own := *g
	own.Metadata, own.Comdat, own.Section, own.Partition, own.FuncAttrs = nil, nil, "", "", nil
	if !g.Immutable || g.Init == nil || strings.Contains(g.Init.Ident(), "blockaddress(") {
		own.Init, own.Linkage, own.Visibility = nil, enum.LinkageExternal, enum.VisibilityDefault
		if g.Linkage == enum.LinkageExternWeak {
			own.Linkage = g.Linkage
		}
	}
	return own.LLString()
}

// hidden says why one of the named globals, or what their text refers to, cannot
// be seen through; "" where all can.
func (h *header) hidden(names []string) string {
	for _, name := range h.closure(names) {
		if why := h.world.hidden(name, h.strict); why != "" {
			return why
		}
	}
	return ""
}

// closure lists, in order, the named globals and those that their text refers to.
func (h *header) closure(names []string) []string {
	seen := map[string]bool{}
	for open := slices.Clone(names); len(open) > 0; {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if !seen[name] {
			seen[name] = true
			open = append(open, h.entries[name].needs...)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// declaration declares a function.
func (h *header) declaration(f *llir.Func) string {
	own := llir.NewFunc("", f.Sig.RetType, slices.Clone(f.Params)...)
	own.GlobalIdent = f.GlobalIdent
	own.Sig.Variadic = f.Sig.Variadic
	own.CallingConv, own.AddrSpace = f.CallingConv, f.AddrSpace
	own.ReturnAttrs, own.FuncAttrs = f.ReturnAttrs, flatten(f.FuncAttrs)
	if f.Linkage == enum.LinkageExternWeak {
		own.Linkage = f.Linkage
	}
	if h.world.isOwn(f) {
		// The name may be that of a library function, the code is not; and what its
		// declaration promises, its body need not keep.
		own.FuncAttrs = append(safeAttributes(own.FuncAttrs), enum.FuncAttrNoBuiltin)
	} else if h.strict && !isIntrinsic(f) {
		// Passes know more of the library than the standard says: which number
		// strcmp returns, that calloc has room.
		own.FuncAttrs = append(own.FuncAttrs, enum.FuncAttrNoBuiltin)
	}
	if h.strict && !isIntrinsic(f) {
		own.ReturnAttrs = passingReturn(own.ReturnAttrs)
		for i, p := range own.Params {
			param := *p
			param.Attrs = passing(p.Attrs)
			own.Params[i] = &param
		}
	}
	return own.LLString()
}

// stranger declares something of which only the type matters: an alias.
func stranger(name string, t types.Type) string {
	pointer, ok := t.(*types.PointerType)
	if !ok {
		return ""
	}
	if sig, ok := pointer.ElemType.(*types.FuncType); ok {
		params := make([]string, len(sig.Params))
		for i, p := range sig.Params {
			params[i] = p.String()
		}
		if sig.Variadic {
			params = append(params, "...")
		}
		return fmt.Sprintf("declare %s %s(%s)", sig.RetType, name, strings.Join(params, ", "))
	}
	return fmt.Sprintf("%s = external global %s", name, pointer.ElemType)
}

// write adds to a module the declarations of the named globals and of what they
// need, in order of name. Names without an entry are left to opt to complain
// about.
func (h *header) write(text *strings.Builder, names []string, extra map[string]string) {
	text.WriteString(h.prelude)
	for _, name := range h.closure(names) {
		text.WriteString(h.entries[name].text)
		text.WriteString(extra[name])
		text.WriteByte('\n')
	}
}

// globalsIn lists the globals that a piece of IR names, each once.
func globalsIn(text string) []string {
	var out []string
	seen := map[string]bool{}
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i += quoted(text[i:])
		case '@':
			n := 1 + identifier(text[i+1:])
			if name := text[i : i+n]; !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
			i += n
		default:
			i++
		}
	}
	return out
}
