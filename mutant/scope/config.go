package scope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Config is a scope file of Mart (option -mutant-scope of its tool): mutants
// are made in the named functions of the named files. An absent list stands
// for all.
type Config struct {
	SourceFiles []string `json:"Source-Files"`
	Functions   []string `json:"Functions"`
}

// ReadConfig reads a scope file.
func ReadConfig(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	c, err := ParseConfig(text)
	if err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", path, err),
			`a scope file is {"Source-Files": ["a.c"], "Functions": ["f", "g"]}; leave a list out for all`)
	}
	return c, nil
}

// ParseConfig parses the text of a scope file. Keys are matched exactly, and
// one that Mart does not know is an error: misspelt, it would widen the scope.
func ParseConfig(text []byte) (*Config, error) {
	var keys map[string]json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&keys); err != nil {
		return nil, fmt.Errorf("no JSON object: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("text after the JSON object")
	}
	c := &Config{}
	for key, value := range keys {
		list := map[string]*[]string{"Source-Files": &c.SourceFiles, "Functions": &c.Functions}[key]
		if list == nil {
			return nil, fmt.Errorf("unknown key %q; want Source-Files or Functions", key)
		}
		if err := json.Unmarshal(value, list); err != nil {
			return nil, fmt.Errorf("%s: want a list of names: %w", key, err)
		}
	}
	return c, nil
}
