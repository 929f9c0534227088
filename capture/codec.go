package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// ErrVersion is wrapped where a file is of another version.
var ErrVersion = errors.New("the file was written by another version of winnow")

// Write puts the capture into a file, as indented JSON.
func (c *Capture) Write(path string) error {
	text, err := c.Marshal()
	if err != nil {
		return err
	}
	return atomicfile.Write(path, text)
}

// Marshal returns the serialised form.
func (c *Capture) Marshal() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // commands are full of < and &
	e.SetIndent("", "\t")
	if err := e.Encode(c); err != nil {
		return nil, fmt.Errorf("serialising what the build did: %w", err)
	}
	return b.Bytes(), nil
}

// Read reads a file that Write has written. work is the folder of its paths: the
// one of the capture, or another in which the project was built the same way.
func Read(path, work string) (*Capture, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading what the build did: %w", err)
	}
	c, err := Unmarshal(text)
	if err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", path, err), "write it again with winnow init")
	}
	c.Work = work
	return c, nil
}

// Unmarshal reads the serialised form.
func Unmarshal(text []byte) (*Capture, error) {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("no JSON: %w", err)
	}
	if head.Version != Version {
		return nil, fmt.Errorf("%w: it has version %d, this reads %d", ErrVersion, head.Version, Version)
	}
	c := &Capture{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("not what a build did: %w", err)
	}
	return c, nil
}
