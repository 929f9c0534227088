package clang

import (
	"context"
	"os"
)

// KeptLinker is where the command of a link is kept.
var KeptLinker = (*Toolchain).keptLinker

// Call is one call of a tool, and Started and Waiting are the ways to make it.
type Call struct {
	Tool, Out, Text string
	Args            []string
}

// Started runs a tool in a process of its own.
func (t *Toolchain) Started(ctx context.Context, c Call, own string) (printed, said []byte, err error) {
	return t.start(ctx, call{tool: c.Tool, out: c.Out, text: []byte(c.Text), args: c.Args}, testEnvironment(own), []string{own})
}

// Waiting has one do it that waits.
func (t *Toolchain) Waiting(ctx context.Context, c Call, own string) (printed, said []byte, err error) {
	return t.call(ctx, call{tool: c.Tool, out: c.Out, text: []byte(c.Text), args: c.Args}, testEnvironment(own), []string{own})
}

func testEnvironment(own string) []string {
	return append(os.Environ(), "LC_ALL=C", "TMPDIR="+own)
}
