package tce

import (
	"fmt"
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
}

type entry struct {
	text string
	// needs are the globals that the text refers to.
	needs []string
}

func headerOf(m *ir.Module, strict bool) *header {
	h := &header{types: map[string]bool{}, entries: map[string]entry{}}
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
			h.add(f.Ident(), declaration(f, strict))
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

// declaration declares a function.
func declaration(f *llir.Func, strict bool) string {
	own := llir.NewFunc("", f.Sig.RetType, slices.Clone(f.Params)...)
	own.GlobalIdent = f.GlobalIdent
	own.Sig.Variadic = f.Sig.Variadic
	own.CallingConv, own.AddrSpace = f.CallingConv, f.AddrSpace
	own.ReturnAttrs, own.FuncAttrs = f.ReturnAttrs, flatten(f.FuncAttrs)
	if f.Linkage == enum.LinkageExternWeak {
		own.Linkage = f.Linkage
	}
	defined := len(f.Blocks) > 0
	if defined {
		// The name may be that of a library function, the code is not.
		own.FuncAttrs = append(safeAttributes(own.FuncAttrs), enum.FuncAttrNoBuiltin)
	}
	if strict && allocators[f.Name()] {
		own.FuncAttrs = append(own.FuncAttrs, enum.FuncAttrNoBuiltin)
	}
	if strict && !isIntrinsic(f) {
		own.ReturnAttrs = passingReturn(own.ReturnAttrs)
		for i, p := range own.Params {
			param := *p
			param.Attrs = passing(p.Attrs)
			own.Params[i] = &param
		}
	}
	return own.LLString()
}

// allocators are the library functions that give memory without contents, of
// which passes make what they like, and free.
var allocators = map[string]bool{
	"malloc": true, "realloc": true, "aligned_alloc": true, "memalign": true, "valloc": true, "free": true,
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
	seen := map[string]bool{}
	for open := slices.Clone(names); len(open) > 0; {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[name] {
			continue
		}
		seen[name] = true
		open = append(open, h.entries[name].needs...)
	}
	sorted := make([]string, 0, len(seen))
	for name := range seen {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
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
