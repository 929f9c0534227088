package command

import (
	_ "embed" // the runtime
	"fmt"
	"os"
	"path/filepath"
)

//go:embed runtime/select.c
var runtimeSource []byte

// RuntimeSource writes the C runtime into a folder and returns the path of the
// file, which is compiled with Flags, as position-independent code, and linked
// with every product that holds mutated code.
func RuntimeSource(folder string) (string, error) {
	path := filepath.Join(folder, "winnow-select.c")
	if err := os.WriteFile(path, runtimeSource, 0o644); err != nil {
		return "", fmt.Errorf("writing the runtime of mutated products: %w", err)
	}
	return path, nil
}

// Flags compile the runtime for a table of so many bytes (schemata.Options.Sites,
// of a probing build schemata.ProbeLayout.Size); infected is where a probing
// build notes infections in it (ProbeLayout.Infected), 0 for other builds.
func Flags(size, infected int) []string {
	flags := []string{"-O2", "-fPIC", fmt.Sprintf("-DSITES=%d", max(size, 1))}
	if infected > 0 {
		flags = append(flags, fmt.Sprintf("-DINFECTED=%d", infected))
	}
	return flags
}
