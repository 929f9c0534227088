package execute

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

//go:embed runtime/*.c runtime/*.h
var runtimeFiles embed.FS

// RuntimeSources writes the C runtime into a folder and returns the paths of
// the files to compile and link with a meta-mutant's module, in name order.
func RuntimeSources(folder string) ([]string, error) {
	names, err := fs.Glob(runtimeFiles, "runtime/*")
	if err != nil {
		return nil, fmt.Errorf("listing the runtime: %w", err)
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
