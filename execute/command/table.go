package command

import "encoding/binary"

// pageBytes is PAGE of runtime/select.c.
const pageBytes = 4096

func pages(n int) int { return (n + pageBytes - 1) / pageBytes * pageBytes }

// slots is how many processes of one run can have a table of sites each at one time;
// twin of SLOTS in runtime/select.c.
const slots = 64

// table is what the processes of a run noted: struct table of runtime/select.c and
// the tables of sites behind it, that of processes which are gone, and one a process.
type table struct {
	processes, outOfFuel int
	// work is the most that a process did of those that ended in order, of which there are ended.
	work  int64
	ended int
	sites [][]byte
	// full says that there were more processes at once than tables, or that the run has
	// removed the file.
	full bool
}

// tableSize is the length of the file for tables of size bytes.
func tableSize(size int) int64 { return int64(pageBytes + (1+slots)*pages(size)) }

// readTable takes apart what a run has noted in an empty file.
func readTable(data []byte, size int) table {
	if len(data) < pageBytes {
		return table{full: true}
	}
	t := table{
		processes: int(binary.LittleEndian.Uint32(data)),
		outOfFuel: int(binary.LittleEndian.Uint32(data[4:])),
		work:      int64(binary.LittleEndian.Uint64(data[8:])),
		full:      binary.LittleEndian.Uint32(data[16:]) > 0,
		ended:     int(binary.LittleEndian.Uint32(data[24+4*slots:])),
	}
	for at := pageBytes; at+size <= len(data); at += pages(size) {
		t.sites = append(t.sites, data[at:at+size])
	}
	return t
}

// taken is how many bytes of the file the processes of a run have used.
func taken(page []byte, size int) int64 {
	used := min(slots, int(binary.LittleEndian.Uint32(page)))
	return int64(pageBytes + (1+used)*pages(size))
}
