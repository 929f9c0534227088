package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// wire is a client that writes what it likes.
type wire struct {
	t     *testing.T
	to    io.WriteCloser
	from  *bufio.Scanner
	ended chan error
}

func dial(t *testing.T, s *Session) *wire {
	t.Helper()
	requests, to := io.Pipe()
	from, answers := io.Pipe()
	w := &wire{t: t, to: to, from: bufio.NewScanner(from), ended: make(chan error, 1)}
	w.from.Buffer(nil, 8<<20)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		err := s.Serve(ctx, requests, answers)
		answers.CloseWithError(io.EOF)
		requests.CloseWithError(io.ErrClosedPipe)
		w.ended <- err
	}()
	t.Cleanup(func() { stop(); to.Close() })
	w.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	w.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

func (w *wire) say(line string) { _, _ = io.WriteString(w.to, line+"\n") } // who has hung up does not hear

// ask returns the answer to a line, nil where the server has hung up.
func (w *wire) ask(line string) map[string]any {
	w.t.Helper()
	go w.say(line)
	type answer struct {
		text string
		ok   bool
	}
	said := make(chan answer, 1)
	go func() { said <- answer{ok: w.from.Scan(), text: w.from.Text()} }()
	select {
	case a := <-said:
		var out map[string]any
		if a.ok && json.Unmarshal([]byte(a.text), &out) != nil {
			w.t.Fatalf("%.200s is no JSON", a.text)
		}
		return out
	case <-time.After(time.Minute):
		w.t.Fatalf("no answer to %.100s", line)
		return nil
	}
}

func callOf(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// refused reports whether an answer is an error of the protocol or of a tool.
func refused(answer map[string]any) bool {
	result, _ := answer["result"].(map[string]any)
	failed, _ := result["isError"].(bool)
	return answer["error"] != nil || failed
}

// A client of the protocol may be anybody's: what it may not ask is refused, nothing is run or
// written, and the next request is heard.
func TestTheServerRefusesWhatIsHostileAndGoesOn(t *testing.T) {
	s := asking(t)
	w := dial(t, s)
	owned := filepath.Join(t.TempDir(), "owned")
	for what, line := range map[string]string{
		"a tool that is none":             callOf("exec", `{"command":"id"}`),
		"a test that is a command":        callOf("check", `{"id":"m1","test":{"command":"touch OWNED"}}`),
		"a command beside a test":         callOf("check", `{"id":"m1","command":"touch OWNED","test":{"input":"1"}}`),
		"arguments that are one text":     callOf("check", `{"id":"m1","test":{"args":"; touch OWNED"}}`),
		"a path as an id":                 callOf("show", `{"id":"../../../etc/passwd"}`),
		"a path as the name of a test":    callOf("check", `{"id":"m1","test":{"name":"../../x","input":"1"}}`),
		"a path as a fault":               callOf("put_back", `{"fault":"../../x"}`),
		"a number that is none":           callOf("next", `{"k":"many"}`),
		"more than there may be":          callOf("next", `{"k":1000000000}`),
		"less than nothing":               callOf("next", `{"k":-1}`),
		"a mark that is none":             callOf("mark", `{"id":"m1","as":"fixed","reason":"x"}`),
		"a method that is none":           `{"jsonrpc":"2.0","id":7,"method":"shutdown/now"}`,
		"arguments that are a list":       callOf("show", `["m1"]`),
		"a reason without bound":          callOf("mark", `{"id":"m1","as":"equivalent","reason":"`+strings.Repeat("x", 1<<20)+`"}`),
		"a test for a session that reads": callOf("check", `{"id":"m1","test":{"input":"1"}}`),
	} {
		if answer := w.ask(strings.ReplaceAll(line, "OWNED", owned)); !refused(answer) {
			t.Errorf("%s: %.300v", what, answer)
		}
	}
	if answer := w.ask(callOf("next", `{"k":1}`)); refused(answer) || answer == nil {
		t.Errorf("what is asked properly then: %.300v", answer)
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("it has written %v %v", left, err)
	}
	if _, err := os.Stat(owned); err == nil {
		t.Error("a command was run")
	}
}

// What is no message at all, or is longer than any may be, ends the connection, and no more.
func TestTheServerHangsUpOnWhatIsNoMessage(t *testing.T) {
	for what, line := range map[string]string{
		"no JSON": "GET / HTTP/1.1", "a line without an end": strings.Repeat("x", mostMessage+2),
		"a message that is too long": callOf("show", `{"id":"`+strings.Repeat("a", mostMessage)+`"}`),
	} {
		w := dial(t, asking(t))
		go w.say(line)
		select {
		case <-w.ended:
		case <-time.After(time.Minute):
			t.Errorf("%s: it still listens", what)
		}
	}
}
