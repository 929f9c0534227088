package schemata

import (
	"maps"
	"slices"

	"github.com/llir/llvm/ir/metadata"
)

// withoutDebug is a module's named metadata without the version of its debug information, without
// which LLVM drops that as it reads the module: nobody looks for the lines of a meta-mutant, and
// tools that read the debug information of what they run, as valgrind does, may be older than
// the compiler.
func withoutDebug(defs map[string]*metadata.NamedDef) map[string]*metadata.NamedDef {
	const flags = "llvm.module.flags"
	if defs[flags] == nil {
		return defs
	}
	out, kept := maps.Clone(defs), *defs[flags]
	kept.Nodes = slices.DeleteFunc(slices.Clone(kept.Nodes), func(n metadata.Node) bool {
		tuple, ok := n.(*metadata.Tuple)
		return ok && len(tuple.Fields) == 3 && isText(tuple.Fields[1], "Debug Info Version")
	})
	out[flags] = &kept
	return out
}

func isText(f metadata.Field, text string) bool {
	s, ok := f.(*metadata.String)
	return ok && s.Value == text
}
