package msp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/findings/findingstest"
)

// engine gives the small run, and notes what it was asked for.
type engine struct {
	t     *testing.T
	asked []Wanted
	ran   int
}

func (e *engine) Mutants(_ context.Context, want Wanted, run bool) (*findings.Run, error) {
	e.asked = append(e.asked, want)
	if run {
		e.ran++
	}
	return findings.Of(findingstest.Subject(e.t), nil)
}

func frame(content string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content)
}

// talk sends messages and returns what comes back.
func talk(t *testing.T, e *engine, input string) (messages []map[string]any, err error) {
	t.Helper()
	var out bytes.Buffer
	err = (&Server{Engine: e, Folder: "/work/project"}).Serve(context.Background(), strings.NewReader(input), &out)
	r := bufio.NewReader(&out)
	for {
		content, end := readFrame(r)
		if end == io.EOF {
			return messages, err
		}
		var m map[string]any
		if end != nil || json.Unmarshal(content, &m) != nil {
			t.Fatalf("%v: %s", end, content)
		}
		messages = append(messages, m)
	}
}

func TestAnEditorConfiguresDiscoversAndTests(t *testing.T) {
	e := &engine{t: t}
	got, err := talk(t, e, frame(`{"jsonrpc":"2.0","id":1,"method":"configure","params":{}}`)+
		frame(`{"jsonrpc":"2.0","id":2,"method":"discover","params":{"files":[{"path":"src/"},{"path":"/work/project/max.c","range":{"start":{"line":3,"column":1},"end":{"line":5,"column":1}}}]}}`)+
		frame(`{"jsonrpc":"2.0","id":"three","method":"mutationTest","params":{"mutants":{"max.c":{"mutants":[{"id":"m1"}]}}}}`))
	if err != nil || len(got) != 4 {
		t.Fatalf("%v %v", got, err)
	}
	if got[0]["result"].(map[string]any)["version"] != "1" {
		t.Errorf("%v", got[0])
	}
	if w := e.asked[0]; len(w.Files) != 0 || len(w.Lines) != 2 || w.Lines[0] != "max.c:3-4" || w.Lines[1] != "src/**:1-100000000" {
		t.Errorf("%+v", w)
	}
	list := func(m map[string]any, key string) []any {
		return m[key].(map[string]any)["files"].(map[string]any)["max.c"].(map[string]any)["mutants"].([]any)
	}
	discovered := list(got[1], "result")
	if len(discovered) != 5 {
		t.Errorf("%d discovered: equivalent ones are nothing to test", len(discovered))
	}
	first := discovered[0].(map[string]any)
	if first["status"] != nil || first["mutatorName"] != "relational" || first["replacement"] != "a >= b" {
		t.Errorf("%v", first)
	}
	// Progress comes before the answer.
	if got[2]["method"] != "reportMutationTestProgress" || len(list(got[2], "params")) != 1 || len(list(got[3], "result")) != 1 || got[3]["id"] != "three" {
		t.Errorf("%v", got[2:])
	}
	if m := list(got[3], "result")[0].(map[string]any); m["status"] != "Survived" || m["statusReason"] == "" || !e.asked[1].IDs["m1"] || e.ran != 1 {
		t.Errorf("%v", m)
	}
}

func TestFilesOutsideOfTheProjectAreIgnored(t *testing.T) {
	e := &engine{t: t}
	got, err := talk(t, e, frame(`{"jsonrpc":"2.0","id":1,"method":"mutationTest","params":{"files":[{"path":"../other.c"},{"path":"/etc/passwd"},{"path":"*.c"}]}}`)+
		frame(`{"jsonrpc":"2.0","id":2,"method":"configure","params":{"configFilePath":"/etc/passwd"}}`))
	if err != nil || len(e.asked) != 0 || len(got) != 2 || got[0]["result"] == nil || got[1]["error"] == nil {
		t.Errorf("%v %v %v", got, err, e.asked)
	}
}

func TestWhatIsNoMessageEndsTheConnectionAndRunsNothing(t *testing.T) {
	for what, input := range map[string]string{
		"a huge message":      "Content-Length: 99999999999\r\n\r\n",
		"a negative length":   "Content-Length: -1\r\n\r\n{}",
		"no length":           "Content-Type: x\r\n\r\n{}",
		"no number":           "Content-Length: ten\r\n\r\n",
		"headers without end": "X: " + strings.Repeat("y", 2*mostHeader),
		"many headers":        strings.Repeat("X: y\r\n", mostHeader),
		"a length too long":   "Content-Length: 50\r\n\r\n{}",
		"no header":           "GET / HTTP/1.1\r\n\r\n",
	} {
		e := &engine{t: t}
		got, err := talk(t, e, input)
		if err == nil || len(e.asked) > 0 || len(got) != 1 || got[0]["error"] == nil {
			t.Errorf("%s: %v %v", what, got, err)
		}
	}
}

func TestARequestThatIsWrongIsAnsweredAndTheNextOneHeard(t *testing.T) {
	e := &engine{t: t}
	got, err := talk(t, e, frame(`{"jsonrpc":"2.0","id":1,"method":"exec","params":{"command":"id"}}`)+frame(`no JSON`)+frame(`{"jsonrpc":"1.0","id":2,"method":"discover"}`)+
		frame(`{"jsonrpc":"2.0","id":3,"method":"discover","params":{"files":"all"}}`)+frame(`{"jsonrpc":"2.0","method":"initialized"}`)+frame(`{"jsonrpc":"2.0","id":4,"method":"discover"}`))
	if err != nil || len(got) != 5 || len(e.asked) != 1 {
		t.Fatalf("%v %v", got, err)
	}
	for i, code := range []float64{unknownMethod, badJSON, badJSON, badParams} {
		if got[i]["error"].(map[string]any)["code"] != code {
			t.Errorf("%v", got[i])
		}
	}
	if got[4]["result"] == nil {
		t.Errorf("%v", got[4])
	}
}
