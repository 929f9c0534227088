package csource

import (
	"strconv"
	"strings"

	"modernc.org/cc/v4"
)

// typeName spells a type as C does in a cast, e.g. "char *" or
// "int (*)(double)"; "" for a type that was not worked out.
func typeName(t cc.Type) string {
	s, _ := spell(t, "", 0)
	return s
}

// spell wraps a type around a declarator, as C's inside-out syntax has it.
func spell(t cc.Type, declarator string, depth int) (string, bool) {
	const deepest = 20 // types inside types; keeps a cyclic one finite
	if t == nil || t.Kind() == cc.InvalidKind || depth > deepest {
		return "", false
	}
	if d := t.Typedef(); d != nil && d.Name() != "" {
		// The parser declares size_t and its like under names of its own.
		return joinDeclarator(strings.TrimPrefix(d.Name(), "__predefined_"), declarator), true
	}
	qualifier := ""
	if t.Attributes().IsConst() {
		qualifier += "const "
	}
	if t.Attributes().IsVolatile() {
		qualifier += "volatile "
	}
	switch t := t.(type) {
	case *cc.PointerType:
		declarator = strings.TrimSuffix("*"+qualifier+declarator, " ")
		if k := t.Elem().Undecay().Kind(); t.Elem().Typedef() == nil && (k == cc.Array || k == cc.Function) {
			declarator = "(" + declarator + ")"
		}
		return spell(t.Elem(), declarator, depth+1)
	case *cc.ArrayType:
		size := ""
		if !t.IsIncomplete() && t.Len() >= 0 {
			size = strconv.FormatInt(t.Len(), 10)
		}
		return spell(t.Elem(), declarator+"["+size+"]", depth+1)
	case *cc.FunctionType:
		var parameters []string
		for _, p := range t.Parameters() {
			s, ok := spell(p.Type(), "", depth+1)
			if !ok {
				return "", false
			}
			parameters = append(parameters, s)
		}
		if t.IsVariadic() {
			parameters = append(parameters, "...")
		}
		return spell(t.Result(), declarator+"("+strings.Join(parameters, ", ")+")", depth+1)
	case *cc.StructType:
		tag := t.Tag()
		return joinDeclarator(qualifier+tagged("struct", tag.SrcStr()), declarator), true
	case *cc.UnionType:
		tag := t.Tag()
		return joinDeclarator(qualifier+tagged("union", tag.SrcStr()), declarator), true
	case *cc.EnumType:
		tag := t.Tag()
		return joinDeclarator(qualifier+tagged("enum", tag.SrcStr()), declarator), true
	}
	return joinDeclarator(t.String(), declarator), true
}

func tagged(keyword, tag string) string {
	if tag == "" {
		return keyword
	}
	return keyword + " " + tag
}

func joinDeclarator(name, declarator string) string {
	if declarator == "" {
		return name
	}
	return name + " " + declarator
}
