package exchange

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/findings/findingstest"
)

func small(t *testing.T) *findings.Run {
	t.Helper()
	r, err := findings.Of(findingstest.Subject(t), &report.Ranking{Mutants: []report.Ranked{{ID: "m2", Rank: 1, PFault: 0.25, PKill: 0.5}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// text is what a format writes of the small run.
func text(t *testing.T, write func(out *bytes.Buffer, r *findings.Run) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, small(t)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestElementsAreWhatTheSchemaAsksFor holds the report to what version 2 of the schema of
// mutation-testing-elements requires; make check-formats asks the schema itself.
func TestElementsAreWhatTheSchemaAsksFor(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(text(t, func(out *bytes.Buffer, r *findings.Run) error { return Elements(out, r) })), &doc); err != nil {
		t.Fatal(err)
	}
	if v := doc["schemaVersion"].(string); !strings.HasPrefix(v, "2.") {
		t.Error(v)
	}
	high, low := doc["thresholds"].(map[string]any)["high"].(float64), doc["thresholds"].(map[string]any)["low"].(float64)
	if high < low || high > 100 {
		t.Error(high, low)
	}
	tests := map[string]bool{}
	for _, f := range doc["testFiles"].(map[string]any) {
		for _, test := range f.(map[string]any)["tests"].([]any) {
			tests[test.(map[string]any)["id"].(string)] = true
		}
	}
	file := doc["files"].(map[string]any)["max.c"].(map[string]any)
	if file["language"] != "c" || file["source"] != findingstest.Source {
		t.Error(file["language"])
	}
	lines := strings.Split(findingstest.Source, "\n")
	statuses := map[string]string{"m1": "Survived", "m2": "Survived", "m3": "Killed", "m4": "NoCoverage", "m5": "Pending", "e1": "Ignored", "d1": "Ignored", "u1": "Ignored"}
	for _, m := range file["mutants"].([]any) {
		m := m.(map[string]any)
		id := m["id"].(string)
		if m["status"] != statuses[id] || m["mutatorName"] != "relational" || m["statusReason"] == "" {
			t.Errorf("%s: %v", id, m)
		}
		at := m["location"].(map[string]any)
		start, end := at["start"].(map[string]any), at["end"].(map[string]any)
		if start["line"].(float64) < 1 || start["column"].(float64) < 1 || end["column"].(float64) <= start["column"].(float64) {
			t.Errorf("%s: %v", id, at)
		}
		if id == "m1" {
			if got := lines[2][int(start["column"].(float64))-1 : int(end["column"].(float64))-1]; got != "a > b" {
				t.Errorf("m1 replaces %q", got)
			}
		}
		for _, list := range []string{"killedBy", "coveredBy"} {
			for _, test := range asList(m[list]) {
				if !tests[test.(string)] {
					t.Errorf("%s: %s names %v", id, list, test)
				}
			}
		}
		if id == "m2" && (m["rank"] != 1.0 || m["fault_probability"] != 0.25) {
			t.Errorf("m2: %v", m)
		}
		delete(statuses, id)
	}
	if len(statuses) > 0 {
		t.Errorf("%v are missing", statuses)
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func TestEveryStatusHasOneOfTheSchema(t *testing.T) {
	known := []string{"Killed", "Survived", "NoCoverage", "CompileError", "RuntimeError", "Timeout", "Ignored", "Pending"}
	for _, s := range findings.Statuses() {
		if !slices.Contains(known, ElementsStatus(s)) {
			t.Errorf("%s is %s", s, ElementsStatus(s))
		}
	}
}
