package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
)

// outputOptions say where a command's result goes.
type outputOptions struct {
	// Out is a file or folder; "" is standard output where that makes sense.
	Out string
	// Force allows Out to be replaced.
	Force bool
}

// AddFlags declares --out and --force.
func (o *outputOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&o.Out, "out", "o", o.Out, "where to write the result")
	flags.BoolVar(&o.Force, "force", false, "replace what --out names, if it exists")
}

// check refuses, before any work is done, to replace something without --force.
func (o *outputOptions) check() error {
	if o.Out == "" || o.Force {
		return nil
	}
	if _, err := os.Lstat(o.Out); err == nil {
		return exit.New(exit.Output, fmt.Errorf("%s exists", o.Out), "name another place with --out, or allow it to be replaced with --force")
	}
	return nil
}

// checkFile is check for a file, whose folder must be there, and which is never
// put in the place of a folder.
func (o *outputOptions) checkFile() error {
	if o.Out == "" {
		return nil
	}
	if info, err := os.Stat(o.Out); err == nil && info.IsDir() {
		return exit.New(exit.Output, fmt.Errorf("%s is a folder", o.Out), "name a file with --out")
	}
	folder := filepath.Dir(o.Out)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return exit.Usagef("--out %s: there is no folder %s", o.Out, folder)
	}
	return o.check()
}

// checkModel is check for a model's folder: no folder but a model's is ever
// replaced.
func (o *outputOptions) checkModel() error {
	entries, err := os.ReadDir(o.Out)
	if err == nil && len(entries) > 0 && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "card.json" }) {
		return exit.New(exit.Output, fmt.Errorf("%s is a folder with other things than a model", o.Out), "name another folder with --out")
	}
	if info, err := os.Stat(o.Out); err == nil && !info.IsDir() {
		return exit.New(exit.Output, fmt.Errorf("%s is a file", o.Out), "name a folder with --out")
	}
	return o.check()
}

// write puts a result in its place, whole or not at all.
func (o *outputOptions) write(text []byte, stdout io.Writer) error {
	if o.Out == "" {
		return writeResult(stdout, text)
	}
	return atomicfile.Write(o.Out, text)
}

// hold keeps others from writing to a folder until release is called; "" is no folder.
func hold(folder string) (release func(), err error) {
	if folder == "" {
		return func() {}, nil
	}
	held, err := output.Hold(folder)
	if err != nil {
		return nil, err
	}
	return held.Release, nil
}

// warn prints what a user must know before believing the result; "" is nothing.
func warn(stderr io.Writer, warnings ...string) {
	for _, w := range warnings {
		if w != "" {
			fmt.Fprintf(stderr, "winnow: warning: %s\n", w)
		}
	}
}

// writeResult prints a result.
func writeResult(stdout io.Writer, text []byte) error {
	if _, err := stdout.Write(text); err != nil {
		return exit.New(exit.System, fmt.Errorf("writing the result: %w", err), "")
	}
	return nil
}

// asJSON declares --json, which all commands have, where there are further formats.
func asJSON(flags *pflag.FlagSet, format *string) {
	flags.BoolFunc("json", "the same as --format json", func(string) error {
		*format = "json"
		return nil
	})
}

// writeJSON prints a result for programs.
func writeJSON(stdout io.Writer, v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return writeResult(stdout, text.Bytes())
}
