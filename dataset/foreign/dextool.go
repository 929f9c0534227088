package foreign

import (
	"slices"
	"strconv"

	"github.com/winnow-mutants/winnow/internal/sqlitefile"
	"github.com/winnow-mutants/winnow/matrix"
)

// dextoolKinds are the kinds of change in dextool's database, by their number, and the operator
// that each puts into the place of another; "" where what it puts there depends on the code.
var dextoolKinds = [...]struct{ name, text string }{
	{"none", ""},
	{"rorLT", "<"}, {"rorLE", "<="}, {"rorGT", ">"}, {"rorGE", ">="}, {"rorEQ", "=="}, {"rorNE", "!="},
	{"lcrAnd", "&&"}, {"lcrOr", "||"},
	{"aorMul", "*"}, {"aorDiv", "/"}, {"aorRem", "%"}, {"aorAdd", "+"}, {"aorSub", "-"},
	{"aorMulAssign", "*="}, {"aorDivAssign", "/="}, {"aorRemAssign", "%="}, {"aorAddAssign", "+="}, {"aorSubAssign", "-="},
	{"uoiPostInc", ""}, {"uoiPostDec", ""}, {"uoiPreInc", ""}, {"uoiPreDec", ""}, {"uoiAddress", ""}, {"uoiIndirection", ""},
	{"uoiPositive", ""}, {"uoiNegative", ""}, {"uoiComplement", ""}, {"uoiNegation", ""}, {"uoiSizeof", ""},
	{"absPos", ""}, {"absNeg", ""}, {"absZero", ""}, {"stmtDel", ""},
	{"corAnd", ""}, {"corOr", ""}, {"corFalse", ""}, {"corLhs", ""}, {"corRhs", ""}, {"corEQ", ""}, {"corNE", ""}, {"corTrue", ""},
	{"rorTrue", ""}, {"rorFalse", ""}, {"dcrTrue", ""}, {"dcrFalse", ""}, {"dcrBomb", ""}, {"dcrCaseDel", ""},
	{"rorpLT", "<"}, {"rorpLE", "<="}, {"rorpGT", ">"}, {"rorpGE", ">="}, {"rorpEQ", "=="}, {"rorpNE", "!="},
	{"lcrbAnd", "&"}, {"lcrbOr", "|"}, {"lcrbAndAssign", "&="}, {"lcrbOrAssign", "|="}, {"lcrbLhs", ""}, {"lcrbRhs", ""},
	{"lcrLhs", ""}, {"lcrRhs", ""}, {"lcrTrue", ""}, {"lcrFalse", ""}, {"aorLhs", ""}, {"aorRhs", ""}, {"uoiDel", ""},
	{"dcrReturnTrue", ""}, {"dcrReturnFalse", ""},
	{"aorsMul", "*"}, {"aorsDiv", "/"}, {"aorsAdd", "+"}, {"aorsSub", "-"},
	{"aorsMulAssign", "*="}, {"aorsDivAssign", "/="}, {"aorsAddAssign", "+="}, {"aorsSubAssign", "-="},
	{"crZero", ""},
}

// dextoolFates are the numbers of its mutants' status.
var dextoolFates = [...]struct {
	fate  Fate
	cause matrix.Cause
}{
	{Unknown, 0}, {Killed, matrix.Output}, {Survived, 0}, {Invalid, 0}, {Killed, matrix.Time}, {Unreached, 0}, {Equivalent, 0}, {Unknown, 0}, {Killed, matrix.Memory},
}

// point is a place that dextool mutates.
type point struct {
	file       int64
	offsets    [2]int
	start, end Position
}

// dextool carries what the tables of its database refer to, by their ids.
type dextool struct {
	*Report
	files, tests map[int64]string
	points       map[int64]point
	status       map[int64]Mutant // fate, cause and time
	killedBy     map[int64][]string
	marked       map[int64]string // why somebody marked it, by the status
}

// Dextool reads the database of dextool mutate. It keeps places and kinds of change, not texts:
// the text of a mutant is known where one operator takes the place of another, and the sources
// are at hand (Below).
func Dextool(path string) (*Report, error) {
	r := &Report{Tool: "dextool"}
	d := &dextool{r, map[int64]string{}, map[int64]string{}, map[int64]point{}, map[int64]Mutant{}, map[int64][]string{}, map[int64]string{}}
	if err := openDatabase(path, d.read); err != nil {
		return nil, err
	}
	return r, nil
}

func (d *dextool) read(db *sqlitefile.File) error {
	for _, t := range []struct {
		name     string
		columns  []string
		optional bool
		row      func(v []any) error
	}{
		{"files", []string{"id", "path"}, false, func(v []any) error { d.files[integer(v[0])] = text(v[1]); return nil }},
		{"mutation_point", []string{"id", "file_id", "offset_begin", "offset_end", "line", "column", "line_end?", "column_end?"}, false, func(v []any) error {
			d.points[integer(v[0])] = point{integer(v[1]), [2]int{int(integer(v[2])), int(integer(v[3]))},
				Position{int(integer(v[4])), int(integer(v[5]))}, Position{int(integer(v[6])), int(integer(v[7]))}}
			return nil
		}},
		{"all_test_case", []string{"id", "name"}, true, func(v []any) error {
			name := text(v[1])
			for name == Suite || has(d.Tests, name) {
				name += "'"
			}
			d.tests[integer(v[0])], d.Tests = name, append(d.Tests, name)
			return nil
		}},
		{"killed_test_case", []string{"st_id", "tc_id"}, true, func(v []any) error {
			if name, known := d.tests[integer(v[1])]; known && !has(d.killedBy[integer(v[0])], name) {
				d.killedBy[integer(v[0])] = append(d.killedBy[integer(v[0])], name)
			}
			return nil
		}},
		{"marked_mutant", []string{"st_id", "rationale?"}, true, func(v []any) error { d.marked[integer(v[0])] = text(v[1]); return nil }},
		{"mutation_status", []string{"id", "status", "test_time_ms?"}, false, func(v []any) error {
			m := Mutant{Micros: max(integer(v[2]), 0) * 1000}
			if status := integer(v[1]); status >= 0 && int(status) < len(dextoolFates) {
				m.Fate, m.Cause = dextoolFates[status].fate, dextoolFates[status].cause
			}
			d.status[integer(v[0])] = m
			return nil
		}},
		{"mutation", []string{"id", "mp_id", "st_id", "kind"}, false, d.mutant},
	} {
		if t.optional && !db.Has(t.name) {
			continue
		}
		if err := db.Each(t.name, t.columns, t.row); err != nil {
			return err
		}
	}
	return nil
}

func (d *dextool) mutant(v []any) error {
	at, known := d.points[integer(v[1])]
	if !known {
		return nil
	}
	m := d.status[integer(v[2])]
	m.ID, m.File, m.Operator = "dextool-"+strconv.FormatInt(integer(v[0]), 10), d.files[at.file], "kind "+strconv.FormatInt(integer(v[3]), 10)
	m.Start, m.End, m.Offsets = at.start, at.end, at.offsets
	m.KilledBy, m.Reason = d.killedBy[integer(v[2])], d.marked[integer(v[2])]
	if kind := integer(v[3]); kind > 0 && int(kind) < len(dextoolKinds) {
		m.Operator = dextoolKinds[kind].name
		if text := dextoolKinds[kind].text; text != "" {
			m.Replacement = &text
		}
	}
	if m.Fate != Killed {
		m.KilledBy = nil
	}
	d.Mutants = append(d.Mutants, m)
	return nil
}

// operators are those for which another can stand.
var operators = []string{"<", "<=", ">", ">=", "==", "!=", "&&", "||", "*", "/", "%", "+", "-", "*=", "/=", "%=", "+=", "-=", "&", "|", "&=", "|="}

// isOperator says that the text is one operator alone.
func isOperator(text string) bool { return slices.Contains(operators, text) }
