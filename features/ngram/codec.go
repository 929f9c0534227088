package ngram

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

const magic = "winnow ngram 1\n"

//go:embed corpus.bin
var corpus []byte

// Corpus is the model that ships.
var Corpus = sync.OnceValue(func() *Model {
	m, err := Decode(corpus)
	if err != nil {
		panic(err) // the tests read the same bytes
	}
	return m
})

// Encode is the model's file.
func (m *Model) Encode() []byte {
	out := binary.AppendUvarint([]byte(magic), uint64(len(m.symbols)))
	for _, t := range m.symbols {
		spelling := t.String()
		out = binary.AppendUvarint(out, uint64(len(spelling)))
		out = append(out, spelling...)
	}
	out = binary.AppendUvarint(out, uint64(len(m.runs)))
	before := uint32(0)
	for _, key := range slices.Sorted(maps.Keys(m.runs)) {
		out = binary.AppendUvarint(out, uint64(key-before))
		out = binary.AppendUvarint(out, uint64(m.runs[key]))
		before = key
	}
	return out
}

// maxSymbols keeps keys, and tables of pairs, small.
const maxSymbols = 1 << 10

// Decode reads a model's file.
func Decode(data []byte) (*Model, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("read n-gram model: not a file of such models")
	}
	in := &input{rest: rest}
	m := &Model{runs: map[uint32]uint32{}}
	for range in.number(maxSymbols) {
		m.symbols = append(m.symbols, in.token())
	}
	n := uint64(len(m.symbols))
	keys, key := n*n*n, uint64(0)
	for k := range in.number(uint64(len(in.rest))) {
		step := in.number(keys)
		if key += step; in.bad || k > 0 && step == 0 || key >= keys {
			in.bad = true
			break
		}
		m.runs[uint32(key)] = uint32(in.number(1<<32 - 1))
	}
	if in.bad || len(in.rest) > 0 || n == 0 || m.symbols[0] != outside || !slices.IsSorted(m.symbols) || len(slices.Compact(slices.Clone(m.symbols))) != len(m.symbols) {
		return nil, fmt.Errorf("read n-gram model: damaged, with %d bytes left", len(in.rest))
	}
	m.prepare()
	return m, nil
}

// input is what is left of a file; bad says that it is not what it must be.
type input struct {
	rest []byte
	bad  bool
}

func (in *input) number(limit uint64) uint64 {
	x, n := binary.Uvarint(in.rest)
	if n <= 0 || x > limit || in.bad {
		in.bad = true
		return 0
	}
	in.rest = in.rest[n:]
	return x
}

func (in *input) token() Token {
	n := in.number(uint64(len(in.rest)))
	if n > uint64(len(in.rest)) {
		in.bad = true
		return 0
	}
	t, ok := tokenOf(string(in.rest[:n]))
	in.bad = in.bad || !ok
	in.rest = in.rest[n:]
	return t
}
