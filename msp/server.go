// Package msp speaks the Mutation Server Protocol, version 1, with which editors show mutants
// where they are: configure, discover and mutationTest, as messages of JSON-RPC with their
// length before them.
//
// What finds and runs mutants is an Engine: the server knows files, ranges and statuses. Results
// come in the order of the ranking, so that an editor shows the best first. A path that leaves
// the project is ignored, as the protocol asks for paths that cannot be used; a message that is
// too long or wrongly counted ends the connection.
package msp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/report/exchange"
	"github.com/winnow-mutants/winnow/report/findings"
)

// Wanted says which mutants a request is about; the zero value is all.
type Wanted struct {
	// Lines are scopes as winnow has them, FILE:10-20, and Files whole files or folders.
	Lines, Files []string
	// IDs are mutants that were discovered before; nil is all.
	IDs map[string]bool
}

// Engine finds mutants, and runs them when run is true.
type Engine interface {
	Mutants(ctx context.Context, want Wanted, run bool) (*findings.Run, error)
}

// Server serves one project.
type Server struct {
	Engine Engine
	// Folder is the project's.
	Folder string
}

// progressBatch is how many results a notification has.
const progressBatch = 25

// lastLine is behind the last line of any file.
const lastLine = 100_000_000

// Position and location of the protocol: from 1, the end exclusive.
type location struct {
	Start exchange.Position `json:"start"`
	End   exchange.Position `json:"end"`
}

type fileRange struct {
	Path  string    `json:"path"`
	Range *location `json:"range"`
}

type mutant struct {
	ID           string   `json:"id"`
	Location     location `json:"location"`
	Description  string   `json:"description,omitempty"`
	MutatorName  string   `json:"mutatorName"`
	Replacement  string   `json:"replacement,omitempty"`
	Status       string   `json:"status,omitempty"`
	StatusReason string   `json:"statusReason,omitempty"`
	CoveredBy    []string `json:"coveredBy,omitempty"`
	KilledBy     []string `json:"killedBy,omitempty"`
}

type fileMutants struct {
	Mutants []mutant `json:"mutants"`
}

type files struct {
	Files map[string]*fileMutants `json:"files"`
}

// Serve answers requests until the client leaves.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, mostHeader), &writer{to: out}
	for ctx.Err() == nil {
		content, err := readFrame(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errors.Join(err, w.refuse(nil, &failure{badRequest, err.Error()}))
		}
		var q request
		if err := json.Unmarshal(content, &q); err != nil || q.Version != "2.0" || q.Method == "" {
			err = w.refuse(q.ID, &failure{badJSON, "not a request of JSON-RPC 2.0"})
			if err != nil {
				return err
			}
			continue
		}
		if err := s.handle(ctx, w, &q); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// handle answers one request; the error is one of writing.
func (s *Server) handle(ctx context.Context, w *writer, q *request) error {
	result, err := s.result(ctx, w, q)
	if len(q.ID) == 0 {
		return nil // a notification has no answer
	}
	if err == nil {
		return w.answer(q.ID, result)
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{failed, err.Error()}
	}
	return w.refuse(q.ID, f)
}

func (s *Server) result(ctx context.Context, w *writer, q *request) (any, error) {
	switch q.Method {
	case "configure":
		var p struct {
			ConfigFilePath string `json:"configFilePath"`
		}
		if err := params(q, &p); err != nil {
			return nil, err
		}
		if p.ConfigFilePath != "" && s.local(p.ConfigFilePath) == "" {
			return nil, &failure{badParams, fmt.Sprintf("%s is not in the project %s", p.ConfigFilePath, s.Folder)}
		}
		return map[string]string{"version": "1"}, nil
	case "discover":
		var p struct {
			Files []fileRange `json:"files"`
		}
		if err := params(q, &p); err != nil {
			return nil, err
		}
		return s.mutants(ctx, nil, p.Files, nil)
	case "mutationTest":
		var p struct {
			Files   []fileRange             `json:"files"`
			Mutants map[string]*fileMutants `json:"mutants"`
		}
		if err := params(q, &p); err != nil {
			return nil, err
		}
		return s.mutants(ctx, w, p.Files, p.Mutants)
	}
	return nil, &failure{unknownMethod, fmt.Sprintf("there is no method %.60q", q.Method)}
}

func params(q *request, to any) error {
	if len(q.Params) == 0 {
		return nil
	}
	if err := json.Unmarshal(q.Params, to); err != nil {
		return &failure{badParams, fmt.Sprintf("the parameters of %s: %v", q.Method, err)}
	}
	return nil
}

// mutants are those that were asked for, without w as they are, with it as runs find them.
func (s *Server) mutants(ctx context.Context, w *writer, ranges []fileRange, known map[string]*fileMutants) (*files, error) {
	want, any := s.wanted(ranges, known)
	out := &files{Files: map[string]*fileMutants{}}
	if !any {
		return out, nil
	}
	found, err := s.Engine.Mutants(ctx, want, w != nil)
	if err != nil {
		return nil, err
	}
	batch, n := &files{Files: map[string]*fileMutants{}}, 0
	flush := func() error {
		if w == nil || n == 0 {
			return nil
		}
		err := w.notify("reportMutationTestProgress", batch)
		batch, n = &files{Files: map[string]*fileMutants{}}, 0
		return err
	}
	for _, e := range exchange.Entries(found) {
		switch {
		case !e.Finding.Status.WasRun() && w == nil:
			continue // what was left out is nothing to discover
		case want.IDs != nil && !want.IDs[e.Finding.ID]:
			continue // the editor would take what was not asked for to be pending
		}
		m := mutant{ID: e.Finding.ID, Location: location{e.Start, e.End}, MutatorName: e.Finding.Operator, Replacement: e.Replacement, Description: e.Finding.Original + " → " + e.Finding.Replacement}
		if w != nil {
			m.Status, m.StatusReason, m.CoveredBy, m.KilledBy = exchange.ElementsStatus(e.Finding.Status), e.Finding.Why, e.Reached, e.KilledBy
		}
		out.add(e.File, m)
		batch.add(e.File, m)
		if n++; n == progressBatch {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return out, flush()
}

func (f *files) add(name string, m mutant) {
	if f.Files[name] == nil {
		f.Files[name] = &fileMutants{}
	}
	f.Files[name].Mutants = append(f.Files[name].Mutants, m)
}

// wanted translates files and mutants; any says whether anything is left of what was asked for.
func (s *Server) wanted(ranges []fileRange, known map[string]*fileMutants) (want Wanted, any bool) {
	if known != nil { // which take precedence
		want.IDs = map[string]bool{}
		for _, f := range known {
			if f == nil {
				continue
			}
			for _, m := range f.Mutants {
				want.IDs[m.ID] = true
			}
		}
		return want, len(want.IDs) > 0
	}
	for _, f := range ranges {
		path := s.local(f.Path)
		switch {
		case path == "":
		case f.Range != nil:
			last := f.Range.End.Line
			if f.Range.End.Column <= 1 { // exclusive
				last--
			}
			want.Lines = append(want.Lines, fmt.Sprintf("%s:%d-%d", path, max(f.Range.Start.Line, 1), max(last, f.Range.Start.Line, 1)))
		case strings.HasSuffix(f.Path, "/"):
			want.Files = append(want.Files, path+"/**")
		default:
			want.Files = append(want.Files, path)
		}
	}
	if len(want.Lines) > 0 { // a scope is in all of its criteria, and these are alternatives
		for _, f := range want.Files {
			want.Lines = append(want.Lines, fmt.Sprintf("%s:1-%d", f, lastLine))
		}
		want.Files = nil
	}
	return want, ranges == nil || len(want.Lines)+len(want.Files) > 0
}

// local is a path as seen from the project; "" where it leaves it, or would be a pattern.
func (s *Server) local(path string) string {
	path = strings.TrimPrefix(path, "file://")
	if filepath.IsAbs(path) {
		folder, err := filepath.Abs(s.Folder)
		if err != nil {
			return ""
		}
		if path, err = filepath.Rel(folder, path); err != nil {
			return ""
		}
	}
	path = filepath.Clean(path)
	if !filepath.IsLocal(path) || strings.ContainsAny(path, "*?[]{}:\x00\n") {
		return ""
	}
	return filepath.ToSlash(path)
}
