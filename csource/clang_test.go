package csource

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// instruction is one line of clang's IR with a debug location.
type instruction struct {
	opcode string
	line   string
	file   string
	spot   spot
}

var (
	instructionLine = regexp.MustCompile(`^\s+(?:%[\w.]+ = )?(?:tail )?([a-z]+)\b.*!dbg !(\d+)`)
	locationNode    = regexp.MustCompile(`(?m)^!(\d+) = (?:distinct )?!DILocation\(line: (\d+), column: (\d+), scope: !(\d+)`)
	scopeNode       = regexp.MustCompile(`(?m)^!(\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock|LexicalBlockFile)\(.*?file: !(\d+)`)
	fileNode        = regexp.MustCompile(`(?m)^!(\d+) = !DIFile\(filename: "([^"]*)"`)
)

// compile returns the instructions that clang-14 makes of a file.
func compile(t *testing.T, path string, flags ...string) []instruction {
	t.Helper()
	args := append([]string{"-S", "-emit-llvm", "-O0", "-g", "-w", "-Xclang", "-disable-O0-optnone",
		"-fno-discard-value-names", "-o", "-", path}, flags...)
	out, err := exec.Command("clang-14", args...).Output()
	if err != nil {
		t.Fatalf("compiling %s: %v", path, err)
	}
	ll := string(out)
	files, scopes := nodes(fileNode, ll), nodes(scopeNode, ll)
	locations := map[string]instruction{}
	for _, m := range locationNode.FindAllStringSubmatch(ll, -1) {
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		locations[m[1]] = instruction{file: files[scopes[m[4]]], spot: spot{line, column}}
	}
	var all []instruction
	for line := range strings.Lines(ll) {
		m := instructionLine.FindStringSubmatch(line)
		if m == nil || strings.Contains(line, "@llvm.dbg.") || locations[m[2]].spot.line == 0 {
			continue
		}
		i := locations[m[2]]
		i.opcode, i.line = m[1], strings.TrimSpace(line)
		if strings.Contains(line, "@llvm.") {
			i.opcode = "intrinsic"
		}
		all = append(all, i)
	}
	return all
}

func nodes(re *regexp.Regexp, ll string) map[string]string {
	found := map[string]string{}
	for _, m := range re.FindAllStringSubmatch(ll, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// operators are the C operators that an instruction may come from.
var operators = map[string]string{
	"add": "+ ++ -- +=", "fadd": "+ +=", "sub": "- -= - --", "fsub": "- -=", "mul": "* *=", "fmul": "* *=",
	"sdiv": "/ /= -", "udiv": "/ /=", "fdiv": "/ /=", "srem": "% %=", "urem": "% %=",
	"shl": "<< <<=", "ashr": ">> >>=", "lshr": ">> >>=",
	"and": "& &=", "or": "| |=", "xor": "^ ^= ~ !", "fneg": "-",
}

var predicates = map[string]string{
	"eq": "== !", "ne": "!=", "slt": "<", "ult": "<", "sgt": ">", "ugt": ">",
	"sle": "<=", "ule": "<=", "sge": ">=", "uge": ">=",
	"oeq": "==", "une": "!=", "olt": "<", "ogt": ">", "ole": "<=", "oge": ">=",
}

var comparison = regexp.MustCompile(`= [if]cmp (\w+) `)

// expected returns the operators that may have made an instruction; false when
// no operator the user wrote has to be behind it.
func (i instruction) expected() (string, bool) {
	if m := comparison.FindStringSubmatch(i.line); m != nil {
		implicit := strings.Contains(i.line, "%tobool") || strings.Contains(i.line, "%arrayinit")
		return predicates[m[1]], !implicit
	}
	if strings.Contains(i.line, "%bf.") || strings.Contains(i.line, "%vla") || strings.Contains(i.line, "%idxprom") {
		return "", false // the mask of a bit field, the size of an array, a row's offset
	}
	ops, ok := operators[i.opcode]
	return ops, ok
}

func hasOperator(exprs []*Expr, ops string) bool {
	for _, e := range exprs {
		for _, op := range strings.Fields(ops) {
			if e.Op == op {
				return true
			}
		}
	}
	return false
}

func TestTheOperatorBehindAnInstructionIsFoundAtItsDebugLocation(t *testing.T) {
	wanted, hits := 0, 0
	for _, path := range testdata(t, "*.c") {
		f := mustParse(t, path)
		for _, i := range compile(t, path) {
			ops, ok := i.expected()
			if !ok {
				continue
			}
			wanted++
			file := f.In(i.file)
			if file != nil && hasOperator(file.At(i.spot.line, i.spot.column), ops) {
				hits++
			} else {
				t.Logf("%s:%d:%d: no %q for %s", i.file, i.spot.line, i.spot.column, ops, i.line)
			}
		}
	}
	if wanted < 50 || float64(hits) < 0.98*float64(wanted) {
		t.Errorf("the operator is found for %d of %d instructions", hits, wanted)
	}
}

func TestEveryInstructionLiesInAStatementAndAlmostEveryOneInAnExpression(t *testing.T) {
	type share struct{ all, exprs int }
	shares := map[string]*share{}
	for _, path := range testdata(t, "*.c") {
		f := mustParse(t, path)
		for _, i := range compile(t, path) {
			file := f.In(i.file)
			if file == nil {
				t.Fatalf("no file for the debug location of %s", i.line)
			}
			s := shares[i.opcode]
			if s == nil {
				s = &share{}
				shares[i.opcode] = s
			}
			s.all++
			if len(file.At(i.spot.line, i.spot.column)) > 0 {
				s.exprs++
			}
			if file.StatementAt(i.spot.line, i.spot.column) == nil {
				t.Errorf("%s:%d:%d: no statement for %s", i.file, i.spot.line, i.spot.column, i.line)
			}
		}
	}
	// A returned value is stored at the keyword, and the final load of the
	// return slot lies at the closing brace: statements, not expressions.
	least := map[string]float64{"store": 0.8, "load": 0.95, "call": 1, "getelementptr": 1, "sext": 1, "trunc": 1}
	for opcode, floor := range least {
		s := shares[opcode]
		if s == nil || float64(s.exprs) < floor*float64(s.all) {
			t.Errorf("%s: expressions found: %+v, want a share of %v", opcode, s, floor)
		}
	}
}

func TestTheBranchesOfAnIfLeadToItsStatement(t *testing.T) {
	const path = "testdata/control.c"
	f := mustParse(t, path)
	found := 0
	for _, i := range compile(t, path) {
		if i.opcode != "br" || !strings.Contains(i.line, "label %if.then") {
			continue
		}
		s := f.In(filepath.Base(i.file)).StatementAt(i.spot.line, i.spot.column)
		if s != nil && s.Kind == If && s.Condition != nil {
			found++
		} else {
			t.Errorf("%d:%d: no if statement for %s", i.spot.line, i.spot.column, i.line)
		}
	}
	if found < 4 {
		t.Errorf("only %d branches of if statements", found)
	}
}
