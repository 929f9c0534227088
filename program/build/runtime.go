package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/toolcache"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// compileRuntime makes an object file of each source, beside it. The runtime is the same
// for all programs, and to compile it costs as much as all else that a small program's
// build does: objects are kept in the user's cache, and taken from there by whoever has
// the same sources, flags, compiler and C library.
func compileRuntime(ctx context.Context, tools *clang.Toolchain, sources []string, flags ...string) ([]string, error) {
	headers, err := headersOf(sources)
	if err != nil {
		return nil, err
	}
	objects, err := parallel.Map(ctx, 0, sources, func(ctx context.Context, _ int, source string) (string, error) {
		text, err := os.ReadFile(source)
		if err != nil {
			return "", err
		}
		object := source + ".o"
		kept := toolcache.Of("runtime", []string{tools.Clang, libcHeader}, slices.Concat(flags, headers, []string{string(text)})...)
		if made, ok := kept.Read(); ok {
			return object, os.WriteFile(object, made, 0o644)
		}
		if err := tools.Object(ctx, object, source, flags); err != nil {
			return "", err
		}
		made, err := os.ReadFile(object)
		if err != nil {
			return "", err
		}
		kept.Write(made)
		return object, nil
	})
	if err != nil {
		return nil, fmt.Errorf("compiling the runtime: %w", err)
	}
	return objects, nil
}

// libcHeader is a header that all others of the C library include: another version of the
// library has another.
const libcHeader = "/usr/include/features.h"

// headersOf are the names and the texts of the headers beside the sources.
func headersOf(sources []string) (texts []string, err error) {
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(sources[0]), "*.h"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		texts = append(texts, filepath.Base(path), string(text))
	}
	return texts, nil
}

// checkedRuntime is the runtime of programs that sanitizers check, compiled when
// the first is built.
type checkedRuntime struct {
	mu      sync.Mutex
	folder  string
	objects []string
}

func (c *checkedRuntime) compiled(ctx context.Context, tools *clang.Toolchain) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.objects != nil {
		return c.objects, nil
	}
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of the runtime: %w", err)
	}
	if err := tools.CheckSanitizer(ctx, c.folder); err != nil {
		return nil, err
	}
	sources, err := execute.SanitizedSources(c.folder)
	if err != nil {
		return nil, err
	}
	objects, err := compileRuntime(ctx, tools, sources, execute.SanitizedFlags()...)
	if err == nil {
		c.objects = objects
	}
	return objects, err
}
