package dataset

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// ProofsFile is in what winnow run writes, beside KillsFile.
const ProofsFile = "proofs.parquet"

// What a proof says of a mutant.
const (
	Equivalent = "equivalent" // no test can kill it
	Different  = "different"  // an input of the program tells it, or a call of its function, which no test may make
	Undefined  = "undefined"  // C leaves it undefined in some states: its verdicts may rest on that
)

// ProofsSchema is the columns of proofs.parquet: the mutants that were run, and of which something
// is known beside that.
func ProofsSchema() table.Schema {
	return table.Schema{
		{Name: "id", Type: table.String, Doc: "id of a mutant of mutants.parquet; but for undefined, which no test killed"},
		{Name: "verdict", Type: table.String, Doc: "equivalent: no test can kill it; different: an input of the program or a call of its function tells it from the original; undefined: C does not define what it does in some states"},
		{Name: "evidence", Type: table.String, Doc: "the method that found it, e.g. smt/bits; what is undefined, e.g. ub/access out of bounds"},
		{Name: "reason", Type: table.String, Doc: "what that rests on, in words; of a different one the input or the call, and what it comes to"},
		{Name: "input", Type: table.String, Doc: "of a different one the whole standard input that tells it, if one does"},
		{Name: "args", Type: table.String, Doc: "of a different one that an input tells the program's arguments, if it takes any: a JSON list"},
		{Name: "files", Type: table.String, Doc: "of a different one that an input tells the files that the program reads, if it reads any: a JSON list of objects with name and text"},
		{Name: "unit_test", Type: table.String, Doc: "of a different one that a call tells statements of C that call the function and assert what the original does, if they can be written"},
	}
}

// differenceOfProofs is what a table has that ProofsSchema has not; "" for nothing. One from before
// there were inputs, arguments, files or unit tests has none.
func differenceOfProofs(s table.Schema) string {
	want := ProofsSchema()
	for len(want) > len(s) && slices.Contains([]string{"input", "args", "files", "unit_test"}, want[len(want)-1].Name) {
		want = want[:len(want)-1]
	}
	return want.Difference(s)
}

// lists are the columns that hold JSON, and what it is.
var lists = []struct {
	column, what string
	of           func(*inputs.Given) any
}{
	{"args", "arguments of row %d are no JSON list of texts", func(g *inputs.Given) any { return &g.Args }},
	{"files", "files of row %d are no JSON list of names and texts", func(g *inputs.Given) any { return &g.Files }},
}

// readList reads a column into what is given.
func readList(text string, into any) error {
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}

// listOf is what is written of a list; nothing of an empty one.
func listOf(list any) (string, error) {
	text, err := json.Marshal(list)
	if err != nil || string(text) == "null" || string(text) == "[]" {
		return "", err
	}
	return string(text), nil
}

// checkProofs says what is wrong with a table of proofs.
func checkProofs(t *table.Table) error {
	if d := differenceOfProofs(t.Schema()); d != "" {
		return errors.New(d)
	}
	for _, list := range lists {
		at := t.Schema().Index(list.column)
		for row := range t.Rows() {
			if at < 0 {
				break
			}
			if err := readList(t.Value(row, at).(string), list.of(&inputs.Given{})); err != nil {
				return fmt.Errorf("the "+list.what+": %w", row+1, err)
			}
		}
	}
	return nil
}

// Proof is a row of proofs.parquet.
type Proof struct {
	ID       string `json:"id"`
	Verdict  string `json:"verdict"`
	Evidence string `json:"evidence"`
	Reason   string `json:"reason"`
	inputs.Given
}

// SortProofs puts proofs into the order of the mutants that they are of, so that a run in shards or
// by other workers has the same table. What is said of one mutant stays as it was.
func SortProofs(proofs []Proof, mutants []string) {
	place := make(map[string]int, len(mutants))
	for i, id := range mutants {
		place[id] = i
	}
	slices.SortStableFunc(proofs, func(a, b Proof) int { return cmp.Compare(place[a.ID], place[b.ID]) })
}

// ProofTable is a table of proofs; nil of none.
func ProofTable(proofs []Proof) (*table.Table, error) {
	if len(proofs) == 0 {
		return nil, nil
	}
	t, err := table.New(ProofsSchema())
	if err != nil {
		return nil, fmt.Errorf("making the table of proofs: %w", err)
	}
	for _, p := range proofs {
		args, err := listOf(p.Args)
		if err != nil {
			return nil, fmt.Errorf("making the table of proofs: %w", err)
		}
		files, err := listOf(p.Files)
		if err != nil {
			return nil, fmt.Errorf("making the table of proofs: %w", err)
		}
		if err := t.Append(p.ID, p.Verdict, p.Evidence, p.Reason, p.Input, args, files, p.UnitTest); err != nil {
			return nil, fmt.Errorf("making the table of proofs: %w", err)
		}
	}
	return t, nil
}

// Proved are the mutants that are proved to be equivalent and that no test was seen to kill,
// by id.
func (s *Subject) Proved() map[string]Proof { return s.proofs(Equivalent) }

// Interpreted is the evidence of an input of the program that tells a mutant: the interpreter ran
// both on it.
const Interpreted = "interpreter"

// InterpretedCall is that of a call of the mutant's function, which the program may never make.
const InterpretedCall = "interpreter/call"

// Examples are what tells the mutants, of those that no test was seen to kill, for which an input
// of the program or a call of their function is known that does, by id.
func (s *Subject) Examples() map[string]Proof { return s.proofs(Different) }

// MayBeUndefined says of mutants what C may leave undefined in what they do, by id, whatever became
// of them.
func (s *Subject) MayBeUndefined() map[string]string {
	out := map[string]string{}
	for _, p := range s.ProofRows() {
		if p.Verdict == Undefined {
			out[p.ID] = p.Reason
		}
	}
	return out
}

// sameInEveryBuild is what C leaves undefined and each build of winnow's does alike: it ends what is
// read or written through null or divided by 0, and what a mutant computes wraps around, for it
// promises the compiler nothing (mutant.DropPromises). Were overflow not among them, no label would
// be known of i + 1.
var sameInEveryBuild = []string{"ub/null dereference", "ub/division by zero", "ub/signed overflow"}

// dependsOnBuild are the mutants whose verdicts may be others in another build, or with other things
// in memory, since C leaves them undefined.
func (s *Subject) dependsOnBuild() map[string]bool {
	out := map[string]bool{}
	for _, p := range s.ProofRows() {
		if p.Verdict == Undefined && !slices.Contains(sameInEveryBuild, p.Evidence) {
			out[p.ID] = true
		}
	}
	return out
}

// ProofRows are all rows of proofs.parquet.
func (s *Subject) ProofRows() []Proof {
	if s.Proofs == nil {
		return nil
	}
	at := func(row int, name string) string {
		k := s.Proofs.Schema().Index(name)
		if k < 0 { // a table from before there were inputs
			return ""
		}
		return s.Proofs.Value(row, k).(string)
	}
	out := make([]Proof, s.Proofs.Rows())
	for row := range out {
		p := Proof{ID: at(row, "id"), Verdict: at(row, "verdict"), Evidence: at(row, "evidence"), Reason: at(row, "reason")}
		p.Input, p.UnitTest = at(row, "input"), at(row, "unit_test")
		for _, list := range lists {
			_ = readList(at(row, list.column), list.of(&p.Given)) // Validate has seen to it
		}
		out[row] = p
	}
	return out
}

func (s *Subject) proofs(verdict string) map[string]Proof {
	out := map[string]Proof{}
	for _, p := range s.ProofRows() {
		if p.Verdict == verdict {
			out[p.ID] = p
		}
	}
	if s.Kills != nil {
		for k, id := range s.Kills.Mutants() {
			if !s.Kills.Killed(k).Empty() {
				delete(out, id) // a test was seen to kill it
			}
		}
	}
	return out
}

// told is what is known of the mutants beside their runs: proofs, and what testers said, which
// comes last and holds.
func (s *Subject) told() []Feedback {
	var out []Feedback
	for id := range s.Proved() {
		out = append(out, Feedback{Mutant: id, Told: ToldEquivalent})
	}
	return slices.Concat(out, s.Feedback)
}
