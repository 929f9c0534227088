package face

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// debugType is a C type as debug information has it. The zero value is
// unknown.
type debugType struct {
	node metadata.Field
	// indexed is how many of an array's dimensions an access has passed: the
	// dimensions of `int a[2][3]` are one node.
	indexed int
}

// declarations reads the types of a function's variables.
func declarations(f *llir.Func) map[value.Value]debugType {
	out := map[value.Value]debugType{}
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			call, ok := inst.(*llir.InstCall)
			if !ok || !ir.IsDebug(call) || len(call.Args) < 2 {
				continue
			}
			slot, ok := metadataOf(call.Args[0]).(value.Value)
			variable, isVariable := metadataOf(call.Args[1]).(*metadata.DILocalVariable)
			if ok && isVariable {
				out[slot] = debugType{node: variable.Type}
			}
		}
	}
	return out
}

func metadataOf(arg value.Value) any {
	if md, ok := ir.Unwrap(arg).(*metadata.Value); ok {
		return md.Value
	}
	return nil
}

func typeOfGlobal(g *llir.Global) debugType {
	if v := ir.GlobalVariable(g); v != nil {
		return debugType{node: v.Type}
	}
	return debugType{}
}

// nameOfGlobal is the name in C; that of a static variable of a function is
// function.variable in the IR.
func nameOfGlobal(g *llir.Global) string {
	if v := ir.GlobalVariable(g); v != nil {
		return v.Name
	}
	return g.Name()
}

// plain looks through typedefs and qualifiers.
func (t debugType) plain() debugType {
	for depth := 0; depth < 100; depth++ { // a cycle in hand-made metadata ends
		derived, ok := t.node.(*metadata.DIDerivedType)
		if !ok {
			return t
		}
		switch derived.Tag {
		case enum.DwarfTagTypedef, enum.DwarfTagConstType, enum.DwarfTagVolatileType,
			enum.DwarfTagRestrictType, enum.DwarfTagMember, enum.DwarfTagAtomicType:
			t.node = derived.BaseType
		default:
			return t
		}
	}
	return debugType{}
}

// target is what a pointer type points to.
func (t debugType) target() debugType {
	if derived, ok := t.plain().node.(*metadata.DIDerivedType); ok && derived.Tag == enum.DwarfTagPointerType {
		return debugType{node: derived.BaseType}
	}
	return debugType{}
}

// element is the type of an array's elements.
func (t debugType) element() debugType {
	array, ok := t.plain().node.(*metadata.DICompositeType)
	if !ok || array.Tag != enum.DwarfTagArrayType {
		return debugType{}
	}
	if array.Elements != nil && t.indexed+1 < len(array.Elements.Fields) {
		return debugType{node: array, indexed: t.indexed + 1}
	}
	return debugType{node: array.BaseType}
}

// member is the field of a structure that the IR has at index k, with its
// name; "" where bit-fields or padding make the two count differently.
func (t debugType) member(k int64, fields int) (string, debugType) {
	structure, ok := t.plain().node.(*metadata.DICompositeType)
	if !ok || structure.Tag != enum.DwarfTagStructureType {
		return "", debugType{}
	}
	if structure.Elements == nil || len(structure.Elements.Fields) != fields || k < 0 || k >= int64(fields) {
		return "", debugType{}
	}
	m, ok := structure.Elements.Fields[k].(*metadata.DIDerivedType)
	if !ok || m.Flags&enum.DIFlagBitField != 0 {
		return "", debugType{}
	}
	return m.Name, debugType{node: m.BaseType}
}

// arithmetic is the type as the renderer counts with it.
func (t debugType) arithmetic() cType {
	switch n := t.plain().node.(type) {
	case *metadata.DIBasicType:
		return namedType(basicName(n))
	case *metadata.DICompositeType:
		if n.Tag == enum.DwarfTagEnumerationType {
			return debugType{node: n.BaseType}.arithmetic()
		}
	}
	return cType{}
}

func basicName(n *metadata.DIBasicType) string {
	names := map[string]string{"long int": "long", "long unsigned int": "unsigned long",
		"long long int": "long long", "long long unsigned int": "unsigned long long"}
	if name, ok := names[n.Name]; ok {
		return name
	}
	return n.Name
}

// typeAt is the C type of the value that a pointer points to.
func (r *Renderer) typeAt(pointer value.Value, t types.Type) cType {
	found := r.pointee(pointer).arithmetic()
	if found.kind == unknownKind || found.bits != signedOf(t).bits {
		return signedOf(t)
	}
	return found
}

// IsConst reports an object that C does not let a program change, as far as the
// debug information tells, or the source where the pointer comes from a
// declaration of a header, of which there is none.
func (r *Renderer) IsConst(pointer value.Value) bool {
	if r.pointee(pointer).isConst() {
		return true
	}
	switch p := ir.Unwrap(pointer).(type) {
	case *llir.InstGetElementPtr: // a member of a constant structure, an element
		return r.IsConst(p.Src)
	case *constant.ExprGetElementPtr:
		return r.IsConst(p.Src)
	case *llir.InstLoad:
		return r.pointsToConst(p)
	case *llir.InstCall:
		return r.pointsToConst(p)
	}
	return false
}

func (r *Renderer) pointsToConst(inst llir.Instruction) bool {
	e := r.exprOf(inst)
	if e == nil {
		return false
	}
	pointee, ok := strings.CutSuffix(e.TypeName, "*")
	return ok && strings.HasPrefix(pointee, "const ") && !strings.ContainsAny(pointee, "*([")
}

// IsBool reports an object that holds 0 or 1 alone, as far as the debug
// information tells.
func (r *Renderer) IsBool(pointer value.Value) bool {
	basic, ok := r.pointee(pointer).plain().node.(*metadata.DIBasicType)
	return ok && basic.Name == "_Bool"
}

// isConst looks for the qualifier, through typedefs and arrays.
func (t debugType) isConst() bool {
	for depth := 0; depth < 100; depth++ { // as in plain
		switch n := t.node.(type) {
		case *metadata.DIDerivedType:
			switch n.Tag {
			case enum.DwarfTagConstType:
				return true
			case enum.DwarfTagTypedef, enum.DwarfTagVolatileType, enum.DwarfTagRestrictType, enum.DwarfTagMember, enum.DwarfTagAtomicType:
				t.node = n.BaseType
				continue
			}
		case *metadata.DICompositeType:
			if n.Tag == enum.DwarfTagArrayType {
				t.node = n.BaseType
				continue
			}
		}
		return false
	}
	return false
}

// pointee is the C type of the object that a pointer points to.
func (r *Renderer) pointee(pointer value.Value) debugType {
	switch p := ir.Unwrap(pointer).(type) {
	case *llir.InstAlloca, *llir.Param:
		return r.declared[p]
	case *llir.Global:
		return typeOfGlobal(p)
	case *llir.InstLoad:
		return r.pointee(p.Src).target()
	case *llir.InstGetElementPtr:
		return r.elementType(p.Src, p.ElemType, p.Indices)
	case *constant.ExprGetElementPtr:
		return r.elementType(p.Src, p.ElemType, constantsAsValues(p.Indices))
	}
	return debugType{}
}

func (r *Renderer) elementType(src value.Value, elem types.Type, indices []value.Value) debugType {
	t := r.pointee(src)
	for _, index := range indices[1:] {
		switch aggregate := elem.(type) {
		case *types.StructType:
			k, ok := fieldIndex(aggregate, index)
			if !ok {
				return debugType{}
			}
			_, t = t.member(k, len(aggregate.Fields))
			elem = aggregate.Fields[k]
		case *types.ArrayType:
			t, elem = t.element(), aggregate.ElemType
		}
	}
	return t
}

func fieldIndex(t *types.StructType, index value.Value) (int64, bool) {
	c, ok := index.(*constant.Int)
	if !ok || !c.X.IsInt64() || c.X.Int64() < 0 || c.X.Int64() >= int64(len(t.Fields)) {
		return 0, false
	}
	return c.X.Int64(), true
}
