package replay

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/ir"
)

// class is a kind of C type.
type class uint8

const (
	nothing class = iota // void, what is not known, and what is never made
	number               // an integer, or an enumeration
	character
	truth
	realNumber
	address
	structure // or a union, of which the first member is made
	array
	code       // of functions
	openStream // of the C library
)

// ctype is a C type as debug information has it.
type ctype struct {
	class  class
	size   int // in bytes
	signed bool
	// to is what an address leads to, and what an array is of; count is how many an array has.
	to      *ctype
	count   int
	members []member
	// constant says of what an address leads to that it must not be written.
	constant bool
	// name is what C calls it; "" of arrays, addresses, functions, and structures without a name.
	name string
}

// cName is what C calls a type of which there may be variables by that name alone; "" for none.
func (t *ctype) cName() string {
	switch {
	case t.class == address && t.to.class == nothing && t.to.size == 0:
		return "void *"
	case t.class == address && t.to.class != code && t.to.class != array:
		if to := t.to.cName(); to != "" {
			return strings.TrimSuffix(to, " ") + " *"
		}
	}
	return t.name
}

type member struct {
	name string
	at   int
	is   *ctype
}

// ctypes reads types, each once: a structure may lead to itself.
type ctypes map[metadata.Field]*ctype

// constType says that a type is qualified so.
func constType(node metadata.Field) bool {
	for range mostDerived {
		d, ok := node.(*metadata.DIDerivedType)
		switch {
		case !ok:
			return false
		case d.Tag == enum.DwarfTagConstType:
			return true
		case d.Tag != enum.DwarfTagTypedef && d.Tag != enum.DwarfTagVolatileType:
			return false
		}
		node = d.BaseType
	}
	return false
}

// mostDerived ends a cycle of made-up metadata.
const mostDerived = 100

func (c ctypes) of(node metadata.Field) *ctype {
	typedef := ""
	for range mostDerived {
		d, ok := node.(*metadata.DIDerivedType)
		if !ok || d.Tag == enum.DwarfTagPointerType {
			break
		}
		if d.Tag == enum.DwarfTagTypedef {
			typedef = d.Name // the last is of what has no name of its own
		}
		node = d.BaseType
	}
	if t := c[node]; t != nil {
		return t
	}
	t := &ctype{}
	if node == nil {
		return t
	}
	c[node] = t
	switch n := node.(type) {
	case *metadata.DIBasicType:
		basic(t, n)
	case *metadata.DIDerivedType:
		if n.Tag == enum.DwarfTagPointerType {
			t.class, t.size, t.to, t.constant = address, 8, c.of(n.BaseType), constType(n.BaseType)
		}
	case *metadata.DISubroutineType:
		t.class = code
	case *metadata.DICompositeType:
		c.composite(t, n)
		if t.name == "" && t.class != array {
			t.name = typedef
		}
	}
	return t
}

func basic(t *ctype, n *metadata.DIBasicType) {
	t.size, t.name = int(n.Size/8), n.Name
	switch n.Encoding {
	case enum.DwarfAttEncodingBoolean:
		t.class = truth
	case enum.DwarfAttEncodingSigned:
		t.class, t.signed = number, true
	case enum.DwarfAttEncodingUnsigned:
		t.class = number
	case enum.DwarfAttEncodingSignedChar:
		t.class, t.signed = character, true
	case enum.DwarfAttEncodingUnsignedChar:
		t.class = character
	case enum.DwarfAttEncodingFloat:
		t.class = realNumber
	}
	if t.size == 0 || t.size > 8 {
		t.class = nothing
	}
}

func (c ctypes) composite(t *ctype, n *metadata.DICompositeType) {
	t.size = int(n.Size / 8)
	switch n.Tag {
	case enum.DwarfTagEnumerationType:
		t.class, t.signed, t.name = number, true, tagged("enum ", n.Name)
	case enum.DwarfTagStructureType, enum.DwarfTagUnionType:
		switch n.Name {
		case "_IO_FILE":
			t.class = openStream
			return
		case "__va_list_tag": // of arguments that no call has
			return
		}
		t.class, t.name = structure, tagged(map[enum.DwarfTag]string{enum.DwarfTagStructureType: "struct ", enum.DwarfTagUnionType: "union "}[n.Tag], n.Name)
		for _, field := range fieldsOf(n.Elements) {
			m, ok := field.(*metadata.DIDerivedType)
			if !ok || m.Tag != enum.DwarfTagMember || m.Flags&enum.DIFlagBitField != 0 {
				continue
			}
			t.members = append(t.members, member{m.Name, int(m.Offset / 8), c.of(m.BaseType)})
			if n.Tag == enum.DwarfTagUnionType {
				break
			}
		}
	case enum.DwarfTagArrayType:
		c.dimensions(t, n, fieldsOf(n.Elements))
	}
}

// tagged is a name with what it is of; "" for none.
func tagged(what, name string) string {
	if name == "" {
		return ""
	}
	return what + name
}

// dimensions makes an array of several dimensions one of arrays.
func (c ctypes) dimensions(t *ctype, n *metadata.DICompositeType, of []metadata.Field) {
	t.class, t.to = array, c.of(n.BaseType)
	if len(of) > 1 {
		t.to = &ctype{}
		c.dimensions(t.to, n, of[1:])
	}
	if len(of) > 0 {
		if r, ok := of[0].(*metadata.DISubrange); ok {
			t.count = max(0, countOf(r.Count)) // -1 is of a member whose length nobody says, `char text[]`
		}
	}
	t.size = t.count * t.to.size
}

func countOf(n metadata.FieldOrInt) int {
	switch n := n.(type) {
	case metadata.IntLit:
		return int(n)
	case *metadata.Value:
		if k, ok := n.Value.(*constant.Int); ok && k.X.IsInt64() {
			return int(k.X.Int64())
		}
	}
	return 0
}

func fieldsOf(t *metadata.Tuple) []metadata.Field {
	if t == nil {
		return nil
	}
	return t.Fields
}

// signature is the C type of a function: what it returns, and a structure of its parameters, each in eight
// bytes; false where the debug information does not say, or the machine's conventions pass something in
// another form, as they do structures.
func signature(f *llir.Func) (result, params *ctype, ok bool) {
	var sub *metadata.DISubprogram
	for _, a := range f.Metadata {
		if s, ok := a.Node.(*metadata.DISubprogram); ok {
			sub = s
		}
	}
	if sub == nil {
		return nil, nil, false
	}
	routine, ok := sub.Type.(*metadata.DISubroutineType)
	if !ok || routine.Types == nil || len(routine.Types.Fields) != len(f.Params)+1 {
		return nil, nil, false
	}
	names := map[int]string{}
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			if _, v, ok := ir.Declared(inst); ok && v.Arg > 0 && v.Scope == sub { // not of what is inlined
				names[int(v.Arg)] = v.Name
			}
		}
	}
	known := ctypes{}
	result = known.of(noNull(routine.Types.Fields[0]))
	if !result.passes(f.Sig.RetType) {
		return nil, nil, false
	}
	params = &ctype{class: structure, size: 8 * len(f.Params)}
	for k, p := range f.Params {
		t := known.of(noNull(routine.Types.Fields[k+1]))
		if !t.passes(p.Type()) || t.class == nothing {
			return nil, nil, false
		}
		params.members = append(params.members, member{names[k+1], 8 * k, t})
	}
	return result, params, true
}

// noNull is nil of what stands for void.
func noNull(f metadata.Field) metadata.Field {
	if _, null := f.(*metadata.NullLit); null {
		return nil
	}
	return f
}

// passes says whether values of a type are words of one of LLVM's.
func (t *ctype) passes(as types.Type) bool {
	switch as := as.(type) {
	case *types.VoidType:
		return t.class == nothing
	case *types.IntType:
		switch t.class {
		case number, character:
			return as.BitSize == uint64(8*t.size)
		case truth:
			return as.BitSize == 1
		}
	case *types.FloatType:
		return t.class == realNumber && (t.size == 4) == (as.Kind == types.FloatKindFloat)
	case *types.PointerType:
		return t.class == address
	}
	return false
}
