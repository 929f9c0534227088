package execute

// A Tier is a way to make a run. Tiers must agree on every behaviour; a faster
// one is worth having only because of that.
type Tier struct {
	Name string
	Doc  string
	code uint32 // its number in a request, enum TIER_ in runtime/winnow.h
	// shared: runs share a process. It must know how the original behaves, is checked
	// against it now and then, and is silent between; what a run cannot share goes to alone.
	shared bool
	// judge: what it observes is right, and is not audited.
	judge bool
}

// alone is the tier that takes over runs which cannot share a process.
func (t Tier) alone() Tier {
	if t.shared {
		return Fork
	}
	return t
}

var (
	// InProcess makes many runs in one process, which puts its memory back
	// after each. Runs whose traces it cannot remove are Fork's.
	InProcess = Tier{Name: "in-process", Doc: "many runs in one process, whose memory is put back after each", code: 2, shared: true}
	// Fork makes a run in a copy of the resident server process.
	Fork = Tier{Name: "fork", Doc: "a fork of the resident server", code: 0}
	// Fresh makes a run in a new process that loads the program from its file.
	// It is the judge of the other tiers.
	Fresh = Tier{Name: "fresh", Doc: "a new process for every run", code: 1, judge: true}
)

// Tiers lists all tiers, the fastest first and the judge last.
var Tiers = []Tier{InProcess, Fork, Fresh}
