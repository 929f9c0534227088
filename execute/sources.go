package execute

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

//go:embed runtime/*.c runtime/*.h runtime/sanitized/*.c
var runtimeFiles embed.FS

// RuntimeSources writes the C runtime into a folder and returns the paths of
// the files to compile and link with a meta-mutant's module, in name order.
func RuntimeSources(folder string) ([]string, error) {
	return writeRuntime(folder, "runtime/*.[ch]")
}

// SanitizedSources is RuntimeSources for programs that are compiled with clang's
// address sanitizer. Such a program is linked with the sanitizer and without
// another module's runtime, its sources compiled with SanitizedFlags, and run with
// Options.Sanitized: a finding is a run that dies of a signal.
func SanitizedSources(folder string) ([]string, error) {
	return writeRuntime(folder, "runtime/*.[ch]", "runtime/sanitized/*.c")
}

// SanitizedFlags compile the sources of SanitizedSources.
func SanitizedFlags() []string { return []string{"-DWINNOW_SANITIZED"} }

// Sanitized are options for a program that is linked with the address
// sanitizer: its shadow memory is address space, and runners cannot take it back.
func (o Options) Sanitized() Options {
	o.Memory, o.Tier, o.sanitized = 1<<46, Fork, true
	return o
}

// writeRuntime writes the files of the patterns into one folder.
func writeRuntime(folder string, patterns ...string) ([]string, error) {
	var names []string
	for _, pattern := range patterns {
		found, err := fs.Glob(runtimeFiles, pattern)
		if err != nil {
			return nil, fmt.Errorf("listing the runtime: %w", err)
		}
		names = append(names, found...)
	}
	var sources []string
	for _, name := range names {
		text, err := runtimeFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading the runtime: %w", err)
		}
		file := filepath.Join(folder, path.Base(name))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return nil, fmt.Errorf("writing the runtime: %w", err)
		}
		if path.Ext(name) == ".c" {
			sources = append(sources, file)
		}
	}
	return sources, nil
}
