package concrete

// cells find the last write of a memory cell in the log of a path, which may be long:
// a table with open addressing that is cleared by counting.
type cells struct {
	slots []cellSlot // a power of two of them
	epoch uint32
}

type cellSlot struct {
	at    int64
	epoch uint32
	place int32 // in the log
}

func (s *cellSlot) known(epoch uint32) bool { return s.epoch == epoch }

func (c *cells) clear() {
	if c.epoch++; c.slots == nil || c.epoch == 0 {
		c.slots, c.epoch = make([]cellSlot, max(64, len(c.slots))), 1
	}
}

// find is the slot of a cell, or the free one in which it would be.
func (c *cells) find(at int64) *cellSlot {
	mask := uint64(len(c.slots) - 1)
	for k := uint64(at) * 0x9e3779b97f4a7c15 >> 40; ; k++ {
		s := &c.slots[k&mask]
		if s.epoch != c.epoch || s.at == at {
			return s
		}
	}
}

// add notes that a cell which was not known is the log's last; no more than half of the
// slots are taken.
func (c *cells) add(log []write) {
	last := len(log) - 1
	if 2*len(log) > len(c.slots) {
		c.slots = make([]cellSlot, 2*len(c.slots))
		for i := range log[:last] {
			*c.find(log[i].at) = cellSlot{log[i].at, c.epoch, int32(i)}
		}
	}
	*c.find(log[last].at) = cellSlot{log[last].at, c.epoch, int32(last)}
}

// copy makes c hold what other holds.
func (c *cells) copy(other *cells) {
	c.slots, c.epoch = append(c.slots[:0], other.slots...), other.epoch
}
