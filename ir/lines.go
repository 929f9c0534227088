package ir

import (
	"bytes"
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"
)

// Lines gives the instructions and terminators of a module the lines that the debug
// information of another compilation has for them: that of the same code from a text which
// is laid out otherwise. Functions whose instructions are not the same in number and kind
// have none.
func Lines(m *Module, other []byte) map[any]int {
	functions := readFunctions(other)
	out := map[any]int{}
	for _, f := range m.LLVM.Funcs {
		code, ok := functions[f.Name()]
		if !ok {
			continue
		}
		var own []any
		for _, b := range f.Blocks {
			for _, inst := range b.Insts {
				own = append(own, inst)
			}
			own = append(own, b.Term)
		}
		if !isSameCode(own, code) {
			continue
		}
		for i, inst := range own {
			if code[i].line > 0 {
				out[inst] = code[i].line
			}
		}
	}
	return out
}

func isSameCode(own []any, other []written) bool {
	if len(own) != len(other) {
		return false
	}
	for i, inst := range own {
		if opcode(inst) != other[i].opcode {
			return false
		}
	}
	return true
}

// opcode is the word by which IR begins an instruction.
func opcode(inst any) string {
	switch inst.(type) {
	case *llir.TermCondBr:
		return "br"
	case *llir.InstVAArg:
		return "va_arg"
	}
	return instructionName(inst)
}

// written is an instruction of a text.
type written struct {
	opcode string
	line   int // of its debug location; 0 for none
}

// readFunctions reads what IR says of the instructions of each function, by name. It reads
// lines, as clang writes them: to parse a module takes many times as long.
func readFunctions(text []byte) map[string][]written {
	out := map[string][]written{}
	locations := map[int]int{}
	type attached struct{ to, location int }
	var function string
	var code []written
	var pending []attached
	of := map[string][]attached{}
	for row := range bytes.Lines(text) {
		row := strings.TrimRight(string(row), "\r\n")
		switch {
		case strings.HasPrefix(row, "define "):
			function, code, pending = definedName(row), nil, nil
		case row == "}" && function != "":
			out[function], of[function], function = code, pending, ""
		case function != "" && strings.HasPrefix(row, "  "):
			if word := opcodeOf(row); word != "" {
				code = append(code, written{opcode: word})
			}
			if n, ok := location(row); ok && len(code) > 0 {
				pending = append(pending, attached{len(code) - 1, n})
			}
		case strings.HasPrefix(row, "!"):
			if n, line, ok := readLocation(row); ok {
				locations[n] = line
			}
		}
	}
	for name, list := range of {
		for _, a := range list {
			out[name][a.to].line = locations[a.location]
		}
	}
	return out
}

// definedName is the name in `define … @name(…`.
func definedName(row string) string {
	_, name, _ := strings.Cut(row, "@")
	if quoted, ok := strings.CutPrefix(name, `"`); ok {
		name, _, _ = strings.Cut(quoted, `"`)
		return name
	}
	name, _, _ = strings.Cut(name, "(")
	return name
}

// opcodeOf is the opcode of `  %x = opcode …`; "" for a line that goes on with the
// instruction before it.
func opcodeOf(row string) string {
	row = row[2:]
	if row == "" || row[0] == ' ' || row[0] == ']' {
		return ""
	}
	if row[0] == '%' {
		_, row, _ = strings.Cut(row, " = ")
	}
	word, rest, _ := strings.Cut(row, " ")
	if word == "tail" || word == "musttail" || word == "notail" {
		word, _, _ = strings.Cut(rest, " ")
	}
	return strings.TrimSuffix(word, ",") // unreachable, !dbg
}

// location is the number of the debug location that ends a line.
func location(row string) (int, bool) {
	const mark = "!dbg !"
	at := strings.LastIndex(row, mark)
	if at < 0 {
		return 0, false
	}
	number, _, _ := strings.Cut(row[at+len(mark):], ",")
	n, err := strconv.Atoi(strings.TrimRight(number, " "))
	return n, err == nil
}

// readLocation reads `!12 = !DILocation(line: 3, …)`.
func readLocation(row string) (n, line int, ok bool) {
	name, node, _ := strings.Cut(row[1:], " = ")
	_, fields, found := strings.Cut(strings.TrimPrefix(node, "distinct "), "!DILocation(line: ")
	if !found {
		return 0, 0, false
	}
	number, _, _ := strings.Cut(fields, ",")
	n, errName := strconv.Atoi(name)
	line, errLine := strconv.Atoi(number)
	return n, line, errName == nil && errLine == nil
}
