// Package exit is the one list of exit statuses that winnow can end with, and
// the errors that carry them.
//
// A library says what went wrong in a typed error of its own; where that error
// means a particular exit status it has a method ExitCode, and where the user
// can act, a method Hint. The command line asks Of and HintOf and nothing else,
// so no table translates one package's errors into another's numbers. Errors
// without a status of their own get one here: New.
//
// docs/exit-codes.md is written from List by this package's test.
package exit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// Code is an exit status of the winnow command. Scripts depend on the numbers:
// they are never given a new meaning.
type Code int

const (
	// Done: the command did what was asked.
	Done Code = 0
	// Usage: unknown command or flag, a missing argument, or values that do not
	// go together. Nothing was read or written.
	Usage Code = 1
	// Findings: the command worked, and what it found is below the limit that
	// the user set for it, e.g. a minimal mutation score.
	Findings Code = 2
	// Timeout: the time that the user allowed for the whole command ran out;
	// what was finished by then is kept.
	Timeout Code = 3
	// Baseline: a test fails on the original program, so kills would mean
	// nothing.
	Baseline Code = 4
	// Input: an input cannot be used: it does not exist, the C does not
	// compile, the IR has opaque pointers, a file is truncated, or a model and
	// a table do not fit together.
	Input Code = 5
	// Tool: a program that winnow needs, e.g. clang-14, is missing or does not
	// work. "winnow doctor" says which and what to do.
	Tool Code = 6
	// Output: the place to write to exists already, and what it holds would be
	// lost.
	Output Code = 7
	// Internal: winnow has a bug. The message asks for a report.
	Internal Code = 70
	// System: the operating system refused something, e.g. the disk is full or
	// a file may not be read.
	System Code = 74
	// Interrupted: stopped by SIGINT, SIGTERM, SIGHUP or SIGQUIT; finished work is kept.
	Interrupted Code = 130
)

// Entry describes one code for users.
type Entry struct {
	Code Code
	Name string // one lower-case word
	Doc  string // a phrase that fits on a line of a help text
}

// List holds every code, in ascending order.
func List() []Entry {
	return []Entry{
		{Done, "done", "the command did what was asked"},
		{Usage, "usage", "the command line is wrong; nothing was read or written"},
		{Findings, "findings", "it worked, and the result misses the limit that was set"},
		{Timeout, "timeout", "the time allowed ran out; finished work is kept"},
		{Baseline, "baseline", "a test fails on the original program"},
		{Input, "input", "an input cannot be used (does not compile, truncated, ...)"},
		{Tool, "tool", "a program that winnow needs is missing: see winnow doctor"},
		{Output, "output", "the output exists already and would be lost"},
		{Internal, "internal", "a bug in winnow: please report it"},
		{System, "system", "the operating system refused (disk full, no permission, ...)"},
		{Interrupted, "interrupted", "stopped by SIGINT, SIGTERM, SIGHUP or SIGQUIT; finished work is kept"},
	}
}

// String returns the code's name, e.g. "usage".
func (c Code) String() string {
	for _, e := range List() {
		if e.Code == c {
			return e.Name
		}
	}
	return fmt.Sprintf("exit status %d", int(c))
}

// Help is the last section of a command's help text: the codes that this
// command can end with beside those that every command can.
func Help(codes ...Code) string {
	every := map[Code]bool{Done: true, Usage: true, Internal: true, System: true, Interrupted: true}
	for _, c := range codes {
		every[c] = true
	}
	var b strings.Builder
	b.WriteString("Exit status:\n")
	for _, e := range List() {
		if every[e.Code] {
			fmt.Fprintf(&b, "  %3d  %s\n", e.Code, e.Doc)
		}
	}
	return b.String()
}

// Error is an error with an exit code and, where the user can act, a hint.
type Error struct {
	Code Code
	Err  error
	// Advice is one sentence that says what to do, or "".
	Advice string
	// Kind is nil, or an error variable that stands for what is wrong (Mark).
	Kind error
}

// ErrExists is the kind of what would be replaced and may not be.
var ErrExists = errors.New("what is to be written exists already")

// New gives err an exit code and a hint ("" for none). It returns nil for a
// nil err.
func New(code Code, err error, hint string) error {
	if err == nil {
		return nil
	}
	return &Error{Code: code, Err: err, Advice: hint}
}

// Mark gives err an exit code and a kind, of which errors.Is then says that err is one. It
// is for errors whose way out is a word of the command line: libraries do not know these
// words, and the command has a hint for the kind. It returns nil for a nil err.
func Mark(code Code, kind, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Code: code, Err: err, Kind: kind}
}

// Usagef makes a usage error.
func Usagef(format string, args ...any) error {
	return &Error{Code: Usage, Err: fmt.Errorf(format, args...)}
}

// Error returns the message of the wrapped error; the hint is apart (HintOf).
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.Err }

// Is says whether target is the error's kind.
func (e *Error) Is(target error) bool { return e.Kind != nil && e.Kind == target }

// ExitCode returns the code.
func (e *Error) ExitCode() Code { return e.Code }

// Hint says what the user can do, or "".
func (e *Error) Hint() string { return e.Advice }

// Of returns the code that a command ending with err exits with: that of the
// outermost error with an ExitCode method, else one that follows from the
// standard library's errors, else Internal, because an error that nobody
// classified is a gap of ours and not the user's mistake.
func Of(err error) Code {
	var coded interface{ ExitCode() Code }
	var errno syscall.Errno
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &coded):
		return coded.ExitCode()
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	case errors.Is(err, fs.ErrNotExist):
		return Input
	case errors.As(err, &errno), errors.As(err, &path), errors.As(err, &link):
		return System
	default:
		return Internal
	}
}

// HintOf returns the hint of the outermost error in err's chain that has one,
// or "".
func HintOf(err error) string {
	for err != nil {
		var hinted interface {
			error
			Hint() string
		}
		if !errors.As(err, &hinted) {
			return ""
		}
		if hint := hinted.Hint(); hint != "" {
			return hint
		}
		err = errors.Unwrap(hinted)
	}
	return ""
}

// Markdown is the text of docs/exit-codes.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Exit statuses

Every winnow command ends with one of these. The numbers do not change their
meaning from release to release. This file is written from ` + "`internal/exit`" + `
by ` + "`make golden`" + `.

| status | name | meaning |
|--:|---|---|
`)
	for _, e := range List() {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", e.Code, e.Name, e.Doc)
	}
	return b.String()
}
