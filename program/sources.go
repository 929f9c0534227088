package program

import (
	"fmt"
	"sync"

	"github.com/winnow-mutants/winnow/csource"
)

// Sources are the syntax trees of inputs, for those who load the same files more than once and
// know that they stay as they are. The zero value has none. A tree is never written to.
type Sources struct {
	mu    sync.Mutex
	trees map[string]tree
}

type tree struct {
	file *csource.File
	err  error
}

// parse reads a C source, unless it is known.
func (s *Sources) parse(in Input) (*csource.File, error) {
	if s == nil {
		return csource.Parse(in.Path, in.Flags)
	}
	key := fmt.Sprintf("%q %q", in.Path, in.Flags)
	s.mu.Lock()
	known, ok := s.trees[key]
	s.mu.Unlock()
	if ok {
		return known.file, known.err
	}
	file, err := csource.Parse(in.Path, in.Flags)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trees == nil {
		s.trees = map[string]tree{}
	}
	s.trees[key] = tree{file, err}
	return file, err
}
