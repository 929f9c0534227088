package foreign

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// parseBinary reads XGBoost's own binary form, which its versions up to 2.0 write. No
// length that the file promises is believed beyond what is left of it.
func parseBinary(text []byte) (*xgModel, error) {
	s := &source{left: bytes.TrimPrefix(text, []byte("binf"))}
	learner := s.words(learnerWords)
	x := &xgModel{objective: s.text(), booster: s.text()}
	if s.err != nil {
		return nil, fmt.Errorf("neither LightGBM's text nor XGBoost's JSON or binary form: %w", s.err)
	}
	x.features, x.classes = int(learner[1]), int(int32(learner[2]))
	if x.base = math.Float32frombits(learner[0]); learner[5] >= 1 { // the version
		x.base = logOdds(x.base)
	}
	if x.booster != "gbtree" {
		return x, nil // which is refused, and goes on otherwise
	}
	model := s.words(modelWords)
	if s.err == nil {
		x.classes = max(x.classes, int(int32(model[6])))
		for range s.atMost(model[0], treeWords+nodeWords+statWords) {
			x.trees = append(x.trees, s.tree())
		}
	}
	if s.err != nil {
		return nil, fmt.Errorf("XGBoost model, after %d trees: %w", len(x.trees), s.err)
	}
	return x, nil
}

// source reads a file until something is wrong, and nothing from then on.
type source struct {
	left []byte
	err  error
}

// bytes takes so many bytes.
func (s *source) bytes(n uint64) []byte {
	if s.err == nil && n > uint64(len(s.left)) {
		s.err = fmt.Errorf("%w: %d bytes are promised, %d are left (the file is truncated, or another format)", io.ErrUnexpectedEOF, n, len(s.left))
	}
	if s.err != nil {
		return nil
	}
	out := s.left[:n]
	s.left = s.left[n:]
	return out
}

// words takes so many numbers of 32 bits, which are 0 where they are not there.
func (s *source) words(n int) []uint32 {
	out, text := make([]uint32, n), s.bytes(4*uint64(n))
	for i := range len(text) / 4 {
		out[i] = binary.LittleEndian.Uint32(text[4*i:])
	}
	return out
}

// text takes a length and so many bytes.
func (s *source) text() string {
	size := s.bytes(8)
	if s.err != nil {
		return ""
	}
	return string(s.bytes(binary.LittleEndian.Uint64(size)))
}

// atMost is n, if as many things of at least so many words fit into what is left.
func (s *source) atMost(n uint32, words int) int {
	if s.err == nil && uint64(n)*uint64(words)*4 > uint64(len(s.left)) {
		s.err = fmt.Errorf("%w: %d parts are promised, %d bytes are left", io.ErrUnexpectedEOF, n, len(s.left))
	}
	if s.err != nil {
		return 0
	}
	return int(n)
}

func (s *source) tree() []xgNode {
	head := s.words(treeWords)
	out := make([]xgNode, s.atMost(head[1], nodeWords+statWords))
	for i := range out {
		w := s.words(nodeWords)
		out[i] = xgNode{left: int32(w[1]), right: int32(w[2]), feature: w[3] &^ (1 << 31), defaultLeft: w[3]>>31 != 0, value: math.Float32frombits(w[4])}
	}
	s.words(statWords * len(out))
	if head[5] > 0 && s.err == nil {
		s.err = fmt.Errorf("%w: leaves hold vectors", ErrUnsupported)
	}
	return out
}
