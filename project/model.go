package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// SetModel writes into the project file of a folder which model ranks the project's mutants;
// an empty name takes that away. All other lines stay as they are, comments among them.
func SetModel(folder, model string) error {
	before, err := Open(folder)
	if err != nil {
		return err
	}
	if before.Model == model {
		return nil
	}
	path := filepath.Join(folder, File)
	text, err := os.ReadFile(path)
	if err != nil {
		return exit.New(exit.Input, err, "")
	}
	edited := withModel(string(text), model)
	after, err := parse(folder, []byte(edited))
	before.Model = model
	if err != nil || !reflect.DeepEqual(before, after) { // the line fell into a longer value
		return exit.New(exit.Input, fmt.Errorf("%s: no place was found for the model: %w", path, errors.Join(errNoPlace, err)),
			fmt.Sprintf("write the line yourself, above the first table: model = %q", model))
	}
	return exit.New(exit.System, atomicfile.Write(path, []byte(edited)), "")
}

var errNoPlace = errors.New("its keys are not a line each")

// withModel sets the key among those above the first table: in its line, below the
// program's name, or first of all.
func withModel(text, model string) string {
	lines := strings.SplitAfter(text, "\n")
	at, replaces := 0, 0
	for i, line := range lines {
		key, _, isKey := strings.Cut(line, "=")
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			break
		}
		switch key = strings.Trim(strings.TrimSpace(key), `"'`); {
		case isKey && key == "model":
			at, replaces = i, 1
		case isKey && key == "program" && replaces == 0:
			at = i + 1
		}
	}
	var line string
	if model != "" {
		line = "model = " + strconv.Quote(model) + "\n"
	}
	if at > 0 && !strings.HasSuffix(lines[at-1], "\n") {
		line = "\n" + line
	}
	return strings.Join(lines[:at], "") + line + strings.Join(lines[at+replaces:], "")
}
