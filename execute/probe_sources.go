package execute

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed runtime/alone/log.c
var logRuntime embed.FS

// ProbeRuntimeSources writes the runtime of stand-alone probing and coverage
// builds (schemata.ProbeOptions.StandAlone) into a folder and returns the paths
// of the files to compile and link with them.
func ProbeRuntimeSources(folder string) ([]string, error) {
	const name = "runtime/alone/log.c"
	text, err := logRuntime.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the runtime of probing builds: %w", err)
	}
	file := filepath.Join(folder, "winnow_log.c")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return nil, fmt.Errorf("writing the runtime of probing builds: %w", err)
	}
	return []string{file}, nil
}
