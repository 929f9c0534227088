package exchange

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/report/findings"
)

// Elements writes a run as a mutation testing report, version 2 of the schema of
// mutation-testing-elements, which dashboards and viewers of other tools read. The schema
// has no status for mutants that were left out: they are Ignored, with the reason. What it
// does not know (rank, probabilities) rides along as further properties, which it allows.
func Elements(w io.Writer, r *findings.Run) error {
	out := elementsReport{SchemaVersion: "2.0", Thresholds: elementsThresholds{High: 80, Low: 60}, Files: map[string]elementsFile{},
		TestFiles: map[string]elementsTests{"tests": {Tests: []elementsTest{}}}, Framework: elementsFramework{"winnow", r.Tool}}
	tests := out.TestFiles["tests"]
	for t, name := range r.Tests {
		tests.Tests = append(tests.Tests, elementsTest{testID(t), name})
	}
	out.TestFiles["tests"] = tests
	places := map[string]*lines{}
	for _, f := range r.Files {
		places[f.Name] = linesOf(f.Text)
		out.Files[f.Name] = elementsFile{Language: "c", Source: f.Text, Mutants: []elementsMutant{}}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		name := f.File
		if f.Edit != nil {
			name = f.Edit.File
		}
		file, known := out.Files[name]
		if !known {
			file = elementsFile{Language: "c", Mutants: []elementsMutant{}}
			places[name] = linesOf("")
		}
		file.Mutants = append(file.Mutants, elementsOf(f, places[name]))
		out.Files[name] = file
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

type elementsReport struct {
	SchemaVersion string                   `json:"schemaVersion"`
	Thresholds    elementsThresholds       `json:"thresholds"`
	Files         map[string]elementsFile  `json:"files"`
	TestFiles     map[string]elementsTests `json:"testFiles"`
	Framework     elementsFramework        `json:"framework"`
}

type elementsThresholds struct {
	High int `json:"high"`
	Low  int `json:"low"`
}

type elementsFile struct {
	Language string           `json:"language"`
	Source   string           `json:"source"`
	Mutants  []elementsMutant `json:"mutants"`
}

type elementsTests struct {
	Tests []elementsTest `json:"tests"`
}

type elementsTest struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type elementsFramework struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type elementsMutant struct {
	ID           string           `json:"id"`
	MutatorName  string           `json:"mutatorName"`
	Replacement  string           `json:"replacement"`
	Location     elementsLocation `json:"location"`
	Status       string           `json:"status"`
	StatusReason string           `json:"statusReason"`
	Description  string           `json:"description"`
	CoveredBy    []string         `json:"coveredBy,omitempty"`
	KilledBy     []string         `json:"killedBy,omitempty"`
	// What the schema does not know.
	Rank             int      `json:"rank,omitempty"`
	FaultProbability *float64 `json:"fault_probability,omitempty"`
	KillProbability  *float64 `json:"kill_probability,omitempty"`
	Equivalence      string   `json:"equivalence,omitempty"`
}

type elementsLocation struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

func elementsOf(f *findings.Finding, at *lines) elementsMutant {
	m := elementsMutant{ID: f.ID, MutatorName: f.Operator, Replacement: f.Replacement, Status: ElementsStatus(f.Status), StatusReason: f.Why,
		Description: f.Original + " → " + f.Replacement, Rank: f.Rank, CoveredBy: testIDs(f.Reached), KilledBy: testIDs(f.KilledBy)}
	m.Location.Start, m.Location.End = at.extent(f)
	if f.Edit != nil {
		m.Replacement = f.Edit.Text
	}
	if !f.Status.WasRun() {
		m.StatusReason, m.Equivalence = string(f.Status)+": "+f.Why, string(f.Status)
	}
	m.FaultProbability, m.KillProbability = known(f.PFault), known(f.PKill)
	return m
}

// ElementsStatus is the schema's word for what became of a mutant.
func ElementsStatus(s findings.Status) string {
	switch s {
	case findings.Killed:
		return "Killed"
	case findings.Survived:
		return "Survived"
	case findings.Unreached:
		return "NoCoverage"
	case findings.Unknown:
		return "Pending"
	case findings.Invalid:
		return "CompileError"
	}
	return "Ignored"
}

func known(p float64) *float64 {
	if math.IsNaN(p) {
		return nil
	}
	return &p
}

func testID(t int) string { return fmt.Sprint(t) }

func testIDs(tests matrix.Bits) []string {
	var out []string
	if tests.Empty() {
		return nil
	}
	for t := range tests.All() {
		out = append(out, testID(t))
	}
	return out
}

// Entry is a finding with its place, for those who speak of mutants as the schema does.
type Entry struct {
	Finding           *findings.Finding
	File              string
	Start, End        Position
	Replacement       string
	Reached, KilledBy []string
}

// Entries are the findings in their order.
func Entries(r *findings.Run) []Entry {
	texts := map[string]*lines{}
	for _, f := range r.Files {
		texts[f.Name] = linesOf(f.Text)
	}
	out := make([]Entry, len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		e := Entry{Finding: f, File: f.File, Replacement: f.Replacement, Reached: testIDs(f.Reached), KilledBy: testIDs(f.KilledBy)}
		if f.Edit != nil {
			e.File, e.Replacement = f.Edit.File, f.Edit.Text
		}
		at := texts[e.File]
		if at == nil {
			at = linesOf("")
		}
		e.Start, e.End = at.extent(f)
		out[i] = e
	}
	return out
}
