package execute

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// The wire between engine and server: fixed structs, little endian, twins of
// those in runtime/winnow.h.

const (
	wireMagic        = 0x31776e6e6977
	wantOutput       = 1
	wantReached      = 2
	maxSelectors     = 1024
	maxArguments     = 4096
	maxArgumentBytes = 128 * 1024
	maxNameBytes     = 4096
	reachedKnown     = 1
	undecided        = 2
	shared           = 4
	replyBytes       = 64
)

const featureInProcess = 1

type wireSetup struct {
	Magic, Memory, Output uint64
	Trim, Open            uint32
	Writable, Volume      uint32
}

type wireHello struct {
	Magic           uint64
	Sites, Features uint32
}

type wireRequest struct {
	Tier, Want, Count, Argc, ArgumentBytes, NameBytes uint32
	InputBytes                                        uint64
	Fuel, Slice                                       int64
	WallNS                                            uint64
}

type wireReply struct {
	Selector int32
	Cause    uint32
	Status   int32
	Flags    uint32
	Length   uint64
	Hash     uint64
	Work     int64
	WallNS   uint64
	Output   uint64
	Reached  uint64
}

// decodeReply does by hand what binary.Read does in a microsecond, which is as
// long as a whole run takes.
func decodeReply(raw *[replyBytes]byte) wireReply {
	le := binary.LittleEndian
	return wireReply{
		Selector: int32(le.Uint32(raw[0:])), Cause: le.Uint32(raw[4:]), Status: int32(le.Uint32(raw[8:])), Flags: le.Uint32(raw[12:]),
		Length: le.Uint64(raw[16:]), Hash: le.Uint64(raw[24:]), Work: int64(le.Uint64(raw[32:])), WallNS: le.Uint64(raw[40:]),
		Output: le.Uint64(raw[48:]), Reached: le.Uint64(raw[56:]),
	}
}

// batch is one test and the mutants to run on it.
type batch struct {
	tier      Tier
	want      uint32
	args      []string
	outputs   []string // the names of the files that are part of a run's behaviour
	input     []byte
	fuel      int64
	wall      time.Duration
	selectors []int32
	// With a slice, the original's run is cut into steps of so much work. The
	// original then says in which step it reaches a site; for InProcess, steps are
	// those of the selectors' sites, 0 where it is not known.
	slice    int64
	steps    []uint8
	test     int
	original *Outcome // what the original does on the test, for InProcess
}

func (b *batch) encode() []byte {
	args, names := ended(b.args), []byte(nil)
	if b.tier.shared {
		names = ended(b.outputs)
	}
	head := wireRequest{
		Tier: b.tier.code, Want: b.want, Count: uint32(len(b.selectors)),
		Argc: uint32(len(b.args)), ArgumentBytes: uint32(len(args)), NameBytes: uint32(len(names)),
		InputBytes: uint64(len(b.input)), Fuel: b.fuel, Slice: b.slice, WallNS: uint64(b.wall),
	}
	out := make([]byte, 0, 56+len(args)+len(names)+len(b.input)+5*len(b.selectors))
	out, _ = binary.Append(out, binary.LittleEndian, head) // fixed-size: cannot fail
	out = append(append(append(out, args...), names...), b.input...)
	out, _ = binary.Append(out, binary.LittleEndian, b.selectors)
	if b.tier.shared && b.slice > 0 {
		out = append(out, b.steps...)
	}
	return out
}

// ended is texts, each with a NUL behind it.
func ended(texts []string) []byte {
	var out []byte
	for _, text := range texts {
		out = append(append(out, text...), 0)
	}
	return out
}

// observation is a reply: the outcome and, where asked for, the raw output and
// the sites reached (nil when the run got away without telling).
type observation struct {
	Outcome
	undecided bool // a safer tier is to make the run
	shared    bool // it began where the original was after some steps (TestBaseline.Steps)
	output    []byte
	reached   []byte
}

// errProtocol means that the server said something it never says.
var errProtocol = errors.New("the server broke the protocol")

// readReply reads the reply for a selector. maxOutput and sites bound what a
// broken server can make us allocate.
func readReply(r io.Reader, selector int32, maxOutput int64, sites int) (observation, error) {
	var raw [replyBytes]byte
	if _, err := io.ReadFull(r, raw[:]); err != nil {
		return observation{}, err
	}
	w := decodeReply(&raw)
	if w.Selector != selector || w.Cause > uint32(CauseOutput) || w.Output > uint64(maxOutput) || w.Reached > uint64(sites) {
		return observation{}, fmt.Errorf("%w: reply %+v to selector %d", errProtocol, w, selector)
	}
	o := observation{Outcome: Outcome{
		Cause: Cause(w.Cause), Status: int(w.Status), OutputLength: w.Length, OutputHash: w.Hash,
		Work: w.Work, Wall: time.Duration(w.WallNS),
	}, undecided: w.Flags&undecided != 0, shared: w.Flags&shared != 0}
	if w.Output > 0 {
		o.output = make([]byte, w.Output)
		if _, err := io.ReadFull(r, o.output); err != nil {
			return o, err
		}
	}
	if w.Flags&reachedKnown != 0 {
		o.reached = make([]byte, w.Reached)
		if _, err := io.ReadFull(r, o.reached); err != nil {
			return o, err
		}
	}
	return o, nil
}
