package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostMessage bounds a message of the protocol.
const mostMessage = 4 << 20

// What tools take. The schemas that clients read are made from these.
type (
	nextInput struct {
		K int `json:"k" jsonschema:"how many gaps, 1 to 40"`
	}
	idInput struct {
		ID string `json:"id" jsonschema:"the mutant's id, or its beginning"`
	}
	checkInput struct {
		ID   string `json:"id" jsonschema:"the mutant's id, or its beginning"`
		Test *Test  `json:"test,omitempty" jsonschema:"a test as data; without one the project's own tests are run, as they are now"`
	}
	markInput struct {
		ID     string `json:"id" jsonschema:"the mutant's id, or its beginning"`
		As     string `json:"as" jsonschema:"equivalent (no test can tell it), worthless (not worth a test) or simplify (the code is to be made simpler)"`
		Reason string `json:"reason" jsonschema:"why, in words"`
	}
	putBackInput struct {
		Fault string `json:"fault" jsonschema:"the name of a fault in winnow.toml"`
	}
)

// The tools, with what an agent reads of them.
const (
	docNext    = "The next gaps in the tests, those most worth a test first, of different functions. Each is a mutant: a small change of the code that every test lets pass."
	docShow    = "All about one mutant: its diff, which tests run it, in which it may compute something else, and those alike."
	docCheck   = "Run one mutant on a test (data: input and arguments of the program), or on the project's own tests as they are now. Says killed, infected, reached or not reached."
	docHint    = "A test made up for a mutant that lives: on it the program and the mutant, both run, differ. It has the form of the project's own inputs. Whether what the program does there is right is for you to find out. Without hint none was found."
	docMark    = "Note that a mutant needs no test, and why: it is equivalent, worthless, or the code is to be simplified."
	docPutBack = "Put a known fault back and run the tests: does one notice?"
)

// Serve speaks the Model Context Protocol until the client leaves.
func (s *Session) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.server().Run(ctx, &mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: mostMessage})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func (s *Session) server() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "winnow", Version: s.tool}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "next", Description: docNext}, tool(func(_ context.Context, in nextInput) (*List, error) { return s.Next(in.K) }))
	mcp.AddTool(server, &mcp.Tool{Name: "show", Description: docShow}, tool(func(_ context.Context, in idInput) (*Detail, error) { return s.Show(in.ID) }))
	mcp.AddTool(server, &mcp.Tool{Name: "check", Description: docCheck}, tool(func(ctx context.Context, in checkInput) (*Check, error) { return s.Check(ctx, in.ID, in.Test) }))
	mcp.AddTool(server, &mcp.Tool{Name: "hint", Description: docHint}, tool(func(ctx context.Context, in idInput) (*Hints, error) { return s.hintsFor(ctx, in.ID) }))
	mcp.AddTool(server, &mcp.Tool{Name: "mark", Description: docMark}, tool(func(_ context.Context, in markInput) (*Detail, error) { return s.Mark(in.ID, in.As, in.Reason) }))
	mcp.AddTool(server, &mcp.Tool{Name: "put_back", Description: docPutBack}, tool(func(ctx context.Context, in putBackInput) (*PutBack, error) { return s.PutBack(ctx, in.Fault) }))
	return server
}

// tool makes a call one of the protocol's. What fails is told to the agent, who may do better.
func tool[In, Out any](call func(context.Context, In) (*Out, error)) mcp.ToolHandlerFor[In, *Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, *Out, error) {
		out, err := call(ctx, in)
		return nil, out, err
	}
}

// Call makes one call, as a client of the protocol does, with the same JSON.
func (s *Session) Call(ctx context.Context, name, input string) (any, error) {
	if input == "" {
		input = "{}"
	}
	switch name {
	case "next":
		in := nextInput{K: 5}
		return call(input, &in, func() (any, error) { return s.Next(in.K) })
	case "show":
		var in idInput
		return call(input, &in, func() (any, error) { return s.Show(in.ID) })
	case "check":
		var in checkInput
		return call(input, &in, func() (any, error) { return s.Check(ctx, in.ID, in.Test) })
	case "hint":
		var in idInput
		return call(input, &in, func() (any, error) { return s.hintsFor(ctx, in.ID) })
	case "mark":
		var in markInput
		return call(input, &in, func() (any, error) { return s.Mark(in.ID, in.As, in.Reason) })
	case "put_back":
		var in putBackInput
		return call(input, &in, func() (any, error) { return s.PutBack(ctx, in.Fault) })
	}
	return nil, refusef("there is no call %q: next, show, check, hint, mark and put_back are", name)
}

// call reads the input, of which nothing may be unknown: a misspelt test would be none.
func call(input string, in any, do func() (any, error)) (any, error) {
	if len(input) > mostMessage {
		return nil, refusef("the input has %d bytes: %d are the most", len(input), mostMessage)
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(input)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		return nil, &Refused{fmt.Sprintf("the input is not what the call takes: %v", err)}
	}
	if decoder.More() {
		return nil, refusef("the input is more than one JSON object")
	}
	return do()
}
