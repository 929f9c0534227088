package msp

import (
	"bytes"
	"context"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzServe: whatever an editor sends, the server answers or leaves.
func FuzzServe(f *testing.F) {
	f.Add([]byte(frame(`{"jsonrpc":"2.0","id":1,"method":"configure","params":{}}`) +
		frame(`{"jsonrpc":"2.0","id":2,"method":"discover","params":{"files":[{"path":"a.c","range":{"start":{"line":3,"column":1},"end":{"line":-5,"column":1}}}]}}`)))
	f.Add([]byte("Content-Length: 99999999999\r\n\r\n{}"))
	f.Add([]byte("Content-Length: -1\r\nContent-Length: 2\r\n\r\n[]"))
	f.Fuzz(func(t *testing.T, said []byte) {
		bounded.Check(t, len(said), func() {
			var out bytes.Buffer
			err := (&Server{Engine: &engine{t: t}, Folder: "/work/project"}).Serve(context.Background(), bytes.NewReader(said), &out)
			if err == nil && len(said) > 0 && bytes.Contains(said, []byte(`"id":1,"method"`)) && out.Len() == 0 {
				t.Error("a request has no answer")
			}
		})
	})
}
