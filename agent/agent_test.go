package agent

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/findings/findingstest"
)

// asking is a session that can only be asked, of a run folder of its own.
func asking(t *testing.T) *Session {
	t.Helper()
	found, err := findings.Of(findingstest.Subject(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(found, Options{Run: t.TempDir(), Tool: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheNextGapsAreThoseThatNobodySettled(t *testing.T) {
	s := asking(t)
	list, err := s.Next(1)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Mutants) != 1 || list.Mutants[0].ID != "m1" || list.Left != 1 || list.Mutants[0].Alike != 1 || !strings.Contains(list.Mutants[0].Suggestion, "visible") {
		t.Errorf("%+v", list)
	}
	// m2 is alike: one test would have told both.
	if _, err := s.Mark("m2", "equivalent", "max of equal numbers is either"); err != nil {
		t.Fatal(err)
	}
	list, err = s.Next(5)
	if err != nil || len(list.Mutants) != 1 || list.Mutants[0].ID != "m4" || !strings.Contains(list.Mutants[0].Suggestion, "run line 5") {
		t.Errorf("%+v %v", list, err)
	}
	// Another session of the run knows it, too.
	again, err := Open(s.found, Options{Run: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	if list, _ := again.Next(5); len(list.Mutants) != 1 {
		t.Errorf("%+v", list)
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "feedback.jsonl"))
	if err != nil || !strings.Contains(string(text), "max of equal numbers is either") {
		t.Errorf("%s %v", text, err)
	}
}

func TestGapsAreOrderedAnewAfterATest(t *testing.T) {
	s := asking(t)
	s.since["m1"] = 1
	s.again = func(_ context.Context, since map[string]int) ([]string, error) {
		if since["m1"] != 1 {
			t.Errorf("the order is made of %v", since)
		}
		return []string{"m4", "m3", "m2", "m1", "m0"}, nil
	}
	before := s.inOrder()
	if err := s.order(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := s.inOrder()
	if lead := func(g []findings.Gap) string { return s.found.Findings[g[0].Lead].ID }; len(after) != 2 || lead(before) != "m1" || lead(after) != "m4" {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestAMutantIsShownWithItsDiff(t *testing.T) {
	d, err := asking(t).Show("m1")
	if err != nil {
		t.Fatal(err)
	}
	want := "@@ -1,5 +1,5 @@\n int max(int a, int b)\n {\n-\treturn a > b ? a : b;"
	if !strings.Contains(d.Diff, want) || !strings.Contains(d.Diff, "+\treturn a >= b ? a : b;") || len(d.Reached) != 3 || len(d.Infected) != 1 || d.AlikeIDs[0] != "m2" {
		t.Errorf("%+v", d)
	}
}

func TestRequestsThatMakeNoSenseAreRefused(t *testing.T) {
	s := asking(t)
	long := strings.Repeat("x", MostNote+1)
	for what, call := range map[string][2]string{
		"no such call":           {"exec", `{"command": "id"}`},
		"too many":               {"next", `{"k": 41}`},
		"none":                   {"next", `{"k": 0}`},
		"no id":                  {"show", `{}`},
		"another id":             {"show", `{"id": "../../etc/passwd"}`},
		"ambiguous":              {"show", `{"id": "m"}`},
		"unknown field":          {"check", `{"id": "m1", "command": "rm -rf /"}`},
		"unknown mark":           {"mark", `{"id": "m1", "as": "fixed", "reason": "x"}`},
		"no reason":              {"mark", `{"id": "m1", "as": "equivalent"}`},
		"a long reason":          {"mark", `{"id": "m1", "as": "equivalent", "reason": "` + long + `"}`},
		"a shell as arguments":   {"check", `{"id": "m1", "test": {"args": "; rm -rf /"}}`},
		"two objects":            {"next", `{"k": 1}{"k": 2}`},
		"no JSON":                {"next", `{"k":`},
		"an input without bound": {"show", `{"id": "` + strings.Repeat("a", mostMessage) + `"}`},
	} {
		_, err := s.Call(context.Background(), call[0], call[1])
		if no := (*Refused)(nil); !errors.As(err, &no) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestATestIsHeldToItsLimits(t *testing.T) {
	for what, test := range map[string]Test{
		"a long input": {Input: strings.Repeat("x", MostInput+1)}, "many arguments": {Args: make([]string, MostArgs+1)},
		"a zero byte": {Args: []string{"a\x00b"}}, "a long argument": {Args: []string{strings.Repeat("x", MostArgument+1)}}, "a path as a name": {Name: "../x"},
		"many files": {Files: make([]inputs.File, MostFiles+1)}, "a long file": {Files: []inputs.File{{Name: "a", Text: strings.Repeat("x", MostInput+1)}}},
		"a file outside": {Files: []inputs.File{{Name: "../a"}}}, "a file below": {Files: []inputs.File{{Name: "a/b"}}}, "an absolute file": {Files: []inputs.File{{Name: "/a"}}},
		"the folder": {Files: []inputs.File{{Name: "."}}}, "a file without a name": {Files: []inputs.File{{}}}, "a file twice": {Files: []inputs.File{{Name: "a"}, {Name: "a"}}},
	} {
		if err := test.check(); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
	if err := (&Test{Name: "empty", Args: []string{"$(id)", "; rm -rf /"}, Files: []inputs.File{{Name: "in.txt"}, {Name: "-"}}}).check(); err != nil { // data, which nobody reads as a command
		t.Error(err)
	}
}

func TestWithoutAProjectNothingIsRun(t *testing.T) {
	s := asking(t)
	if _, err := s.Check(context.Background(), "m1", nil); !errors.Is(err, errNoProject) {
		t.Error(err)
	}
	if _, err := s.PutBack(context.Background(), "a fault"); !errors.Is(err, errNoProject) {
		t.Error(err)
	}
}

func TestAnAgentThatGetsNowhereIsToldToStop(t *testing.T) {
	s := asking(t)
	s.tried = patience
	if list, _ := s.Next(1); !strings.Contains(list.Advice, "killed nothing") {
		t.Error(list.Advice)
	}
}

// TestTheProtocolGivesTheSameAsACall lets the client of the official library ask.
func TestTheProtocolGivesTheSameAsACall(t *testing.T) {
	ctx := context.Background()
	s := asking(t)
	here, there := mcp.NewInMemoryTransports()
	server, err := s.server().Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	tools, err := client.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 6 {
		t.Fatalf("%v %v", tools, err)
	}
	for name, input := range map[string]map[string]any{"next": {"k": 2}, "show": {"id": "m4"}} {
		got, err := client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: input})
		if err != nil || got.IsError {
			t.Fatalf("%s: %+v %v", name, got, err)
		}
		text, _ := json.Marshal(input)
		want, err := s.Call(ctx, name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got.StructuredContent)
		var same any
		b, _ := json.Marshal(want)
		if err := json.Unmarshal(b, &same); err != nil {
			t.Fatal(err)
		}
		if b, _ = json.Marshal(same); string(a) != string(b) {
			t.Errorf("%s:\n%s\n%s", name, a, b)
		}
	}
	if got, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "mark", Arguments: map[string]any{"id": "m1", "as": "done", "reason": "x"}}); err != nil || !got.IsError {
		t.Errorf("a refusal is no error: %+v %v", got, err)
	}
}
