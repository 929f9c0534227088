package clang

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/internal/standby"
	"github.com/winnow-mutants/winnow/internal/toolcache"
)

// waiting are the tools of this process that wait for their calls; where they were tried and are
// not there, they cannot be.
var waiting struct {
	sync.Mutex
	tools *standby.Tools
	tried bool
}

// Rest ends tools that wait for their next call, so that what they took counts as this process's
// children's. Who calls them again starts them anew.
func Rest() {
	waiting.Lock()
	defer waiting.Unlock()
	if waiting.tools != nil {
		waiting.tools.Rest()
	}
}

// standby are the tools that wait; nil where they cannot. Their library is compiled once: where
// nothing is kept, to compile it takes as long as it saves.
func (t *Toolchain) standby(ctx context.Context) *standby.Tools {
	waiting.Lock()
	defer waiting.Unlock()
	if waiting.tried {
		return waiting.tools
	}
	kept := toolcache.Of("standby", []string{t.Clang}, standby.Source)
	library, ok := kept.Read()
	if !ok && kept != nil && standby.Source != "" {
		if library = t.compileStandby(ctx); ctx.Err() != nil {
			return nil // the next call may try
		}
		if library != nil { // the next command may have what this one lacks
			kept.Write(library)
		}
	}
	waiting.tried = true
	if len(library) > 0 {
		waiting.tools = standby.New(library)
	}
	return waiting.tools
}

// compileStandby returns nothing where it cannot be compiled.
func (t *Toolchain) compileStandby(ctx context.Context) []byte {
	folder, err := scratch.New("standby")
	if err != nil {
		return nil
	}
	defer folder.Remove()
	out := filepath.Join(folder.Path, "standby.so")
	plain := &Toolchain{Clang: t.Clang}
	c := call{tool: t.Clang, out: out, text: []byte(standby.Source), args: []string{"-O1", "-w", "-shared", "-fPIC", "-o", out, "-x", "c", "-", "-ldl"}}
	if _, _, err := plain.start(ctx, c, append(os.Environ(), "TMPDIR="+folder.Path), []string{folder.Path}); err != nil {
		return nil
	}
	library, err := os.ReadFile(out)
	if err != nil {
		return nil
	}
	return library
}

// call runs a tool that waits for its calls. With an error that wraps standby.ErrCannot it is to be
// started.
func (t *Toolchain) call(ctx context.Context, c call, environment, own []string) (printed, said []byte, err error) {
	if c.stdin != nil || !standby.Pays(c.tool) { // what is written as it is read is long
		return nil, nil, standby.ErrCannot
	}
	tools := t.standby(ctx)
	if tools == nil {
		return nil, nil, standby.ErrCannot
	}
	var files [3]*os.File // standard input, output and error
	for i := range files {
		if files[i], err = standby.Memory(); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", standby.ErrCannot, err)
		}
		defer files[i].Close()
	}
	if _, err := files[0].Write(c.text); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", standby.ErrCannot, err)
	}
	if _, err := files[0].Seek(0, io.SeekStart); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", standby.ErrCannot, err)
	}
	ended := tools.Run(ctx, standby.Call{
		Path: c.tool, Args: c.args, Env: environment, Dir: t.dir,
		Stdin: files[0], Stdout: files[1], Stderr: files[2], Own: own,
	})
	if errors.Is(ended, standby.ErrCannot) {
		return nil, nil, ended
	}
	printed, err = whole(files[1])
	if err == nil {
		said, err = whole(files[2])
	}
	if ended != nil {
		err = ended
	}
	return printed, said, err
}

// whole is all that was written to a file.
func whole(f *os.File) ([]byte, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}
