package clang

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/confine"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/internal/standby"
	"github.com/winnow-mutants/winnow/internal/toolcache"
)

// Error is a tool's failure with the tool's own words.
type Error struct {
	Tool   string // base name of the tool, e.g. "clang-14"
	Input  string // the file it was given
	Stderr string // its message, trimmed
	Err    error
}

func (e *Error) Error() string {
	if refusal := e.refusal(); refusal != "" {
		return fmt.Sprintf("%s could not write what it makes of %s: %s", e.Tool, e.Input, refusal)
	}
	if e.Stderr == "" {
		return fmt.Sprintf("%s failed on %s: %v", e.Tool, e.Input, e.Err)
	}
	return fmt.Sprintf("%s failed on %s:\n%s", e.Tool, e.Input, e.Stderr)
}

func (e *Error) Unwrap() error { return e.Err }

// ExitCode says that the input is to blame: a tool that is there refuses what
// it was given. Unless it says itself that the system refused.
func (e *Error) ExitCode() exit.Code {
	switch {
	case errors.Is(e.Err, context.Canceled) || errors.Is(e.Err, context.DeadlineExceeded):
		return exit.Of(e.Err)
	case e.refusal() != "":
		return exit.System
	}
	return exit.Input
}

// Hint says what to do where the system refused.
func (e *Error) Hint() string {
	if e.refusal() == "" {
		return ""
	}
	return hintOfRefusal()
}

// refusals are lines of the tools' own in which they say that the system refused a write,
// in the words of the C library. What LLVM prints around them is a stack of its own and a
// request for a report to its authors. A line with a place in a source is the program's.
// llvm-as, which cannot open what it is to write, says no more than the library's words.
var (
	refused  = `(No space left on device|Disk quota exceeded|File too large|Input/output error|Read-only file system|Cannot allocate memory|Too many open files)`
	refusals = regexp.MustCompile(`(?m)^(?:fatal error|error|LLVM ERROR|[^ :]*(?:clang|llvm-as|llvm-dis|llvm-cov|llvm-profdata|opt|ld|gcc|cc1|gcov)[^ :]*): .*` + refused + `['".)\s]*$`)
	curt     = regexp.MustCompile(`\A` + refused + `\s*\z`)
)

// refusal says what the system refused the tool, where it did.
func (e *Error) refusal() string {
	for _, form := range []*regexp.Regexp{refusals, curt} {
		if found := form.FindStringSubmatch(e.Stderr); found != nil {
			return strings.ToLower(found[1])
		}
	}
	return ""
}

// hintOfRefusal says what to do where the system refused.
func hintOfRefusal() string {
	return "make room in the output folder and in " + os.TempDir() + ", or name another folder for temporary files with TMPDIR"
}

// Whole looks whether a linked file ends where it says. GNU ld writes the table of sections
// last, and is content when that write fails.
func Whole(path string) error {
	f, err := elf.Open(path)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return exit.New(exit.System, fmt.Errorf("the linker has not written all of %s", path), hintOfRefusal())
	}
	if err == nil {
		f.Close()
	}
	return nil // what is no such file is not this machine's
}

// call is a tool with what it is to do.
type call struct {
	tool string
	// input stands for what is read in messages.
	input string
	// It is text, or where that is nil stdin.
	text  []byte
	stdin io.Reader
	// out is the file that the tool writes, "" where it prints.
	out  string
	args []string
	// from are the files that the tool reads; sealed says that what it makes depends on these, the
	// text and the arguments alone, and on no other file that they lead to.
	from   []string
	sealed bool
}

// do runs a tool and returns what it prints. The tool reads what the user may read,
// writes to the folder of its output and to a temporary one of its own, where it leaves
// its crash reports as well, and reaches no network (package confine). What it made before
// of the same it does not make again (package toolcache).
func (t *Toolchain) do(ctx context.Context, c call) ([]byte, error) {
	kept := c.kept()
	if made, ok := kept.Read(); ok && ctx.Err() == nil {
		if c.out == "" {
			return made, nil
		}
		// Where it cannot be written the tool says what is wrong.
		if os.WriteFile(c.out, made, 0o666) == nil {
			return nil, nil
		}
	}
	printed, _, err := t.run(ctx, c)
	if err != nil || kept == nil {
		return printed, err
	}
	made := printed
	if c.out != "" {
		if made, err = os.ReadFile(c.out); err != nil {
			return printed, nil // whoever wants it will say so
		}
	}
	kept.Write(made)
	return printed, nil
}

// CacheVariable is the variable of the environment that, being "off", has everything be made
// again: for those who measure what that takes.
const CacheVariable = "WINNOW_TOOL_CACHE"

// kept is where the user's cache has what a sealed call makes, nil for others.
func (c *call) kept() *toolcache.Entry {
	if !c.sealed || os.Getenv(CacheVariable) == "off" {
		return nil
	}
	var texts []string
	for _, arg := range c.args {
		switch {
		case arg == c.out && c.out != "":
			arg = "the output"
		case slices.Contains(c.from, arg):
			text, err := os.ReadFile(arg)
			if err != nil {
				return nil
			}
			arg = "a file " + filepath.Ext(arg) + " " + string(text)
		}
		texts = append(texts, arg)
	}
	return toolcache.Of(filepath.Base(c.tool), []string{c.tool}, append(texts, string(c.text))...)
}

// run is do, and returns what the tool says beside what it prints.
func (t *Toolchain) run(ctx context.Context, c call) (printed, said []byte, err error) {
	temporary, err := scratch.New("tool")
	if err != nil {
		return nil, nil, err
	}
	defer temporary.Remove()
	own := []string{temporary.Path}
	if c.out != "" {
		own = append(own, filepath.Dir(c.out))
	}
	environment := append(os.Environ(), "LC_ALL=C", "CCACHE_DISABLE=1", "TMPDIR="+temporary.Path)
	printed, said, err = t.call(ctx, c, environment, own)
	if errors.Is(err, standby.ErrCannot) {
		printed, said, err = t.start(ctx, c, environment, own)
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, nil, &Error{Tool: filepath.Base(c.tool), Input: c.input, Stderr: strings.TrimSpace(string(said)), Err: err}
	}
	return printed, said, nil
}

// start runs a tool in a process of its own.
func (t *Toolchain) start(ctx context.Context, c call, environment, own []string) (printed, said []byte, err error) {
	cmd := exec.CommandContext(ctx, c.tool, c.args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env = t.dir, environment
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, &stdout, &stderr
	if c.text != nil {
		cmd.Stdin = bytes.NewReader(c.text)
	}
	err = confine.Run(cmd, own...)
	return stdout.Bytes(), stderr.Bytes(), err
}
