package campaign

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Shard is one of several runs that share the mutants of a program: the mutants
// whose places, divided by Of, leave Number-1. The zero value is all mutants.
type Shard struct{ Number, Of int }

// ParseShard reads "k/n"; "" is all mutants.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	number, of, ok := strings.Cut(text, "/")
	k, err1 := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	if !ok || err1 != nil || err2 != nil || k < 1 || k > n {
		return Shard{}, exit.Usagef("shard %s: want K/N with K from 1 to N, e.g. 2/4", text)
	}
	return Shard{k, n}, nil
}

func (s Shard) String() string {
	if s.Of <= 1 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// has says whether the mutant at a place is the shard's.
func (s Shard) has(place int) bool { return s.Of <= 1 || place%s.Of == s.Number-1 }
