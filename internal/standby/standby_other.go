//go:build !linux

package standby

import (
	"context"
	"os"
)

// Source is the C of the library that New wants.
var Source string

type server struct{}

func start(path string, library []byte) (*server, error) { return nil, ErrCannot }

func (s *server) end() {}

// Run calls a tool that waits, of which there are none here.
func (t *Tools) Run(ctx context.Context, c Call) error { return ErrCannot }

// Memory is an empty file that is nowhere but in memory, for what a tool is to print.
func Memory() (*os.File, error) { return nil, ErrCannot }
