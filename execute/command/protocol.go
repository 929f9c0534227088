package command

import (
	"time"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// A request and its reply are a line of JSON each, on the pipes requestFD and
// replyFD of a worker. The first request sets the worker up.

const (
	requestFD = 3
	replyFD   = 4
)

// setup is the first request.
type setup struct {
	// Base is where the project was built and where runs see it. Layers are the
	// folders that lie over it, by the name of a build.
	Base   string
	Layers map[string]string
	// Into is a layer to make: it keeps what the command writes in the project.
	Into string
	// TmpBytes bounds what a run may write, in the project and for temporary files
	// each; FileBytes is the size of one file, Memory the address space of a process.
	TmpBytes, FileBytes, Memory int64
}

// request is one run.
type request struct {
	Build string // whose layer is on top; "" is the project as it was built
	Argv  []string
	Dir   string
	Env   []string // the whole environment
	Stdin string   // path; "" is an empty input
	Wall  time.Duration
	// Table is how many bytes of table of sites a process has; 0 is a run without. Where it is Brief
	// there is the first page alone.
	Table int
	Brief bool
	// Keep is how many bytes of each output are handed back.
	Keep int64
	// Traces hands back what the run leaves in tracesPath.
	Traces bool
	// Cases hands back what the run adds to casesPath.
	Cases bool
	// Files are patterns of files to look at when it has ended.
	Files []string
	// Server numbers the fork server that is to make the run and is started where it is not there
	// yet; 0 is a run that starts the command. Env then has WINNOW_MUTANT and WINNOW_FUEL in as many
	// digits as Selector and Fuel can need.
	Server   int
	Selector int32
	Fuel     int64
}

// reply says how a run ended.
type reply struct {
	Err  string    // the run could not be made
	Code exit.Code // of Err

	Status   int // exit status
	Signal   int // signal that ended it, 0 for none
	TimedOut bool
	Wall     time.Duration
	Stdout   printed
	Stderr   printed
	Files    printed // of all of them, without Tail
	Table    []byte  // the first page and the tables of sites that were taken
	Traces   []Trace
	Cases    []byte // what the processes of a probing build reached line by line (segments)
	Served   bool   // by a fork server
}

// printed is what a run wrote to one descriptor.
type printed struct {
	Length int64
	Hash   uint64 // FNV-1a, as it was written
	Tail   []byte // the last request.Keep bytes
}

// end is the end of what was written, for a message.
func (p *printed) end() string { return string(p.Tail[max(0, len(p.Tail)-tailBytes):]) }

// workSuffix ends the name of the folder beside a layer that overlay works in.
const workSuffix = ".work"

// tracesPath is the folder for what a run leaves behind of itself.
const tracesPath = "/tmp/.winnow-traces"

// casesPath is the file to which processes of a probing build add what they reach line by line.
const casesPath = "/tmp/.winnow-cases"

// tablePath is where a run's table lies.
const tablePath = "/tmp/.winnow-table"
