package note

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Kind says what an entry is about.
type Kind string

const (
	// Compiler is a call of a compiler or linker.
	Compiler Kind = "compiler"
	// Binutil is a call of an archiver, or of strip and its like.
	Binutil Kind = "binutil"
	// Line is a line of a recipe.
	Line Kind = "line"
	// Test is a test of automake, which was not run.
	Test Kind = "test"
)

// File is an object, archive, library or program at the time of a call.
type File struct {
	Path string `json:"path"` // as the command line has it
	Hash string `json:"hash"` // of what it held
}

// Entry is one line of the log.
type Entry struct {
	Kind Kind `json:"kind"`
	// ID names the entry; Under is the line of a recipe that it was started by.
	ID    string `json:"id"`
	Under string `json:"under"`
	Dir   string `json:"dir"`
	// Argv is the command line, response files expanded. Of a tool its first word
	// is a bare name.
	Argv []string `json:"argv"`
	// Env has the variables that a compiler heeds; of a line and of a test those
	// that differ from Kit.Env.
	Env    []string `json:"env"`
	Target string   `json:"target"` // of a line, the target that is made; of a test its name
	Expect string   `json:"expect"` // of a test: "pass" or "fail"
	In     []File   `json:"in"`
	Out    []File   `json:"out"`
	Status int      `json:"status"`
	Began  int64    `json:"began"` // nanoseconds since 1970
	Ended  int64    `json:"ended"`
}

// Read returns the entries of the log from an offset on, in the order in which
// they ended, and the offset of the end. A last line that is not finished is left
// for the next call.
func (k *Kit) Read(from int64) ([]Entry, int64, error) {
	f, err := os.Open(filepath.Join(k.folder, "log"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, from, nil
	}
	if err != nil {
		return nil, from, fmt.Errorf("reading the log of the build: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, from, 1<<62))
	if err != nil {
		return nil, from, fmt.Errorf("reading the log of the build: %w", err)
	}
	entries, read, err := Parse(text)
	return entries, from + int64(read), err
}

// Parse reads the whole lines of a log and says how many bytes they are.
func Parse(text []byte) ([]Entry, int, error) {
	end := bytes.LastIndexByte(text, '\n') + 1
	var out []Entry
	for number, line := range bytes.Split(bytes.TrimSpace(text[:end]), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, fmt.Errorf("line %d of the log of the build: %w", number+1, err)
		}
		out = append(out, e)
	}
	return out, end, nil
}
