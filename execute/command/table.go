package command

import "encoding/binary"

// pageBytes is PAGE of runtime/select.c.
const pageBytes = 4096

func pages(n int) int { return (n + pageBytes - 1) / pageBytes * pageBytes }

// table is what the processes of a run noted: struct table of runtime/select.c and
// the tables of sites behind it, one a process.
type table struct {
	processes, outOfFuel int
	work                 int64
	sites                [][]byte
	// full says that there were more processes than tables.
	full bool
}

// tableSize is the length of the file for so many tables of size bytes.
func tableSize(size, slots int) int64 { return int64(pageBytes + slots*pages(size)) }

// newTable is the first page of the file.
func newTable(slots int) []byte {
	page := make([]byte, pageBytes)
	binary.LittleEndian.PutUint32(page[16:], uint32(slots))
	return page
}

// readTable takes apart what newTable began and a run went on with.
func readTable(data []byte, size, slots int) table {
	if len(data) < pageBytes {
		return table{full: true}
	}
	t := table{
		processes: int(binary.LittleEndian.Uint32(data)),
		outOfFuel: int(binary.LittleEndian.Uint32(data[4:])),
		work:      int64(binary.LittleEndian.Uint64(data[8:])),
	}
	t.full = t.processes > slots
	for at := pageBytes; at+size <= len(data) && len(t.sites) < t.processes; at += pages(size) {
		t.sites = append(t.sites, data[at:at+size])
	}
	return t
}

// taken is how many bytes of the file the processes of a run have used.
func taken(page []byte, size, slots int) int64 {
	return tableSize(size, min(slots, int(binary.LittleEndian.Uint32(page))))
}
