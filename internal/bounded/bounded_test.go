package bounded

import (
	"testing"
	"time"
)

// noted is a test that keeps whether it failed to itself.
type noted struct {
	testing.TB
	failed bool
}

func (n *noted) Helper()               {}
func (n *noted) Errorf(string, ...any) { n.failed = true }

var sink []byte

func TestReadersThatTakeMoreThanTheirInputIsWorthAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		input, allocated int
		failed           bool
	}{
		"a short input and little":   {10, 1 << 20, false},
		"a short input and a lot":    {10, most + 1<<20, true},
		"a longer input and as much": {1 << 20, most + 1<<20, false},
	} {
		n := &noted{TB: t}
		Check(n, c.input, func() { sink = make([]byte, c.allocated) })
		if n.failed != c.failed {
			t.Errorf("%s: failed %v", name, n.failed)
		}
	}
	sink = nil
	if _, took := cost(func() { time.Sleep(20 * time.Millisecond) }); took < 20*time.Millisecond {
		t.Errorf("a rest of 20 ms took %v", took)
	}
}
