package campaign

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/mutant"
)

// Selection is the mutants that somebody wants to be run, by id. A nil *Selection
// is all mutants.
type Selection struct{ ids map[string]bool }

// ReadSelection reads what winnow rank --format json wrote, or a text with the
// ids of mutants, one a line; blank lines and those that begin with # are left.
func ReadSelection(path string) (*Selection, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("reading which mutants to run: %w", err), "")
	}
	ids, err := parseSelection(text)
	if err != nil {
		return nil, exit.Mark(exit.Input, ErrSelection, fmt.Errorf("%s: %w", path, err))
	}
	if len(ids) == 0 {
		return nil, exit.Mark(exit.Input, ErrSelection, fmt.Errorf("%s names no mutant", path))
	}
	return &Selection{ids}, nil
}

func parseSelection(text []byte) (map[string]bool, error) {
	ids := map[string]bool{}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		var ranking struct {
			Mutants []struct {
				ID string `json:"id"`
			} `json:"mutants"`
		}
		if err := json.Unmarshal(trimmed, &ranking); err != nil {
			return nil, fmt.Errorf("reading a ranking: %w", err)
		}
		for i, m := range ranking.Mutants {
			if m.ID == "" {
				return nil, fmt.Errorf("mutant %d has no id", i+1)
			}
			ids[m.ID] = true
		}
		return ids, nil
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		id := strings.TrimSpace(lines.Text())
		if id == "" || strings.HasPrefix(id, "#") {
			continue
		}
		if strings.ContainsAny(id, " \t,\x00") {
			return nil, fmt.Errorf("line %d: want one id, got %q", n, id)
		}
		ids[id] = true
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading ids: %w", err)
	}
	return ids, nil
}

func (s *Selection) has(m *mutant.Mutant) bool { return s == nil || s.ids[m.ID] }

// String identifies the selection in manifests; "" is all mutants.
func (s *Selection) String() string {
	if s == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Keys(s.ids)), "\n")))
	return fmt.Sprintf("%d ids, sha256 %x", len(s.ids), sum[:8])
}
