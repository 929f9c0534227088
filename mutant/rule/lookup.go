package rule

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Default returns the set that is used where none is asked for.
func Default() *Set { return standard().Set() }

// Lookup finds a set by the name of a preset ("mart816"), several joined by
// commas ("AOR,ROR"; a rule that two of them have is taken once), or the path
// of a file: what has a slash or a dot is a path.
func Lookup(name string) (*Set, error) {
	if strings.ContainsAny(name, "/.") {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, exit.New(exit.Input, fmt.Errorf("reading operators: %w", err), "name a file of rules, or one of the presets "+names())
		}
		return Parse(name, text)
	}
	var joined []*Set
	for part := range strings.SplitSeq(name, ",") {
		preset := find(strings.TrimSpace(part))
		if preset == nil {
			return nil, exit.New(exit.Usage, fmt.Errorf("no operators %q", part), "choose some of "+names()+", or name a file: ./"+part)
		}
		joined = append(joined, preset)
	}
	return join(joined), nil
}

func find(name string) *Set {
	for _, p := range Presets() {
		if strings.EqualFold(p.Name, name) {
			return p.Set()
		}
	}
	return nil
}

func names() string {
	var out []string
	for _, s := range Presets() {
		out = append(out, s.Name)
	}
	return strings.Join(out, ", ")
}

// join makes one set of several.
func join(sets []*Set) *Set {
	if len(sets) == 1 {
		return sets[0]
	}
	out := &Set{}
	var parts []string
	seen := map[string]bool{}
	for _, s := range sets {
		if slices.Contains(parts, s.Name) {
			continue
		}
		parts = append(parts, s.Name)
		out.Mart = out.Mart || s.Mart
		for _, r := range s.Rules {
			if key := r.Match.String() + " " + r.replacement(); !seen[key] {
				seen[key] = true
				out.Rules = append(out.Rules, r)
			}
		}
	}
	out.Name = strings.Join(parts, ",")
	out.Doc = "several sets together"
	return out
}
