// Package sqlitefile reads the rows of SQLite's tables, and does no more: no queries, no
// indices, no writing. Other tools keep their results in such files.
//
// The whole of SQLite in Go (modernc.org/sqlite) would make the command half as large again,
// and a driver in C needs cgo, for what is one format of pages that its authors have promised
// to keep. A file is taken to be hostile: pages that refer to each other in a circle, lengths
// beyond the file and tables without an end are errors.
//
// Left out: tables WITHOUT ROWID, files that are encrypted, and what is still in a journal
// beside the file (NeedsJournal).
package sqlitefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	magic      = "SQLite format 3\x00"
	headerSize = 100
	leaf       = 0x0d
	interior   = 0x05
)

// ErrDamaged is the kind of a file that is no SQLite database, or not a whole one.
var ErrDamaged = errors.New("not a whole SQLite database")

// File is an SQLite database.
type File struct {
	r        io.ReaderAt
	size     int64
	page     int // bytes of a page
	usable   int // of these, without what extensions keep at its end
	encoding uint32
	tables   map[string]*description
}

// NeedsJournal says that changes of the database at path are in a write-ahead log beside it,
// where Open would miss them.
func NeedsJournal(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// Open reads the header and the list of tables of a database of so many bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, headerSize)
	if _, err := r.ReadAt(head, 0); err != nil || string(head[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrDamaged)
	}
	f := &File{r: r, size: size, page: int(binary.BigEndian.Uint16(head[16:])), encoding: binary.BigEndian.Uint32(head[56:]), tables: map[string]*description{}}
	if f.page == 1 {
		f.page = 1 << 16
	}
	f.usable = f.page - int(head[20])
	if f.page < 512 || f.page&(f.page-1) != 0 || f.usable < 480 || f.encoding > 3 {
		return nil, fmt.Errorf("%w: pages of %d bytes, encoding %d", ErrDamaged, f.page, f.encoding)
	}
	err := f.walk(1, func(rowid int64, values []any) error {
		if len(values) < 5 || values[0] != "table" {
			return nil
		}
		name, ok1 := values[1].(string)
		root, ok2 := values[3].(int64)
		sql, ok3 := values[4].(string)
		if ok1 && ok2 && ok3 {
			f.tables[strings.ToLower(name)] = describe(sql, root)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Has says whether there is a table of that name.
func (f *File) Has(table string) bool { return f.tables[strings.ToLower(table)] != nil }

// Each gives the named columns of each row of a table, in the order of the file: values are nil,
// int64, float64, string or []byte. A column that the table has not got is nil where it is
// marked with a ? at its end, and an error otherwise.
func (f *File) Each(table string, columns []string, row func(values []any) error) error {
	t := f.tables[strings.ToLower(table)]
	if t == nil {
		return fmt.Errorf("the database has no table %s", table)
	}
	if t.withoutRowid {
		return fmt.Errorf("table %s is one WITHOUT ROWID, which this reader does not know", table)
	}
	places := make([]int, len(columns))
	for i, name := range columns {
		wanted := strings.TrimSuffix(name, "?")
		if places[i] = t.place(wanted); places[i] < 0 && wanted == name {
			return fmt.Errorf("table %s has no column %s", table, name)
		}
	}
	out := make([]any, len(columns))
	return f.walk(t.root, func(rowid int64, values []any) error {
		for i, at := range places {
			switch {
			case at >= 0 && at == t.rowid:
				out[i] = rowid
			case at >= 0 && at < len(values):
				out[i] = values[at]
			default:
				out[i] = nil
			}
		}
		return row(out)
	})
}

// walk gives the rows of the tree of a table, whose root is a page, from 1.
func (f *File) walk(root int64, row func(rowid int64, values []any) error) error {
	w := walker{f, map[int64]bool{}, row}
	return w.visit(root)
}

type walker struct {
	*File
	seen map[int64]bool
	row  func(rowid int64, values []any) error
}

// read gives a page, from 1.
func (f *File) read(number int64) ([]byte, error) {
	if number < 1 || number > f.size/int64(f.page) {
		return nil, fmt.Errorf("%w: it ends before page %d", ErrDamaged, number)
	}
	out := make([]byte, f.page)
	if _, err := f.r.ReadAt(out, (number-1)*int64(f.page)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return out[:f.usable], nil
}

func (w *walker) visit(number int64) error {
	if w.seen[number] {
		return fmt.Errorf("%w: page %d is in two places", ErrDamaged, number)
	}
	w.seen[number] = true
	page, err := w.read(number)
	if err != nil {
		return err
	}
	at := 0
	if number == 1 {
		at = headerSize
	}
	kind, cells := page[at], int(binary.BigEndian.Uint16(page[at+3:]))
	pointers := at + 8
	if kind == interior {
		pointers = at + 12
	} else if kind != leaf {
		return fmt.Errorf("%w: page %d is of kind %d", ErrDamaged, number, kind)
	}
	if pointers+2*cells > len(page) {
		return fmt.Errorf("%w: page %d has %d cells", ErrDamaged, number, cells)
	}
	for i := range cells {
		start := int(binary.BigEndian.Uint16(page[pointers+2*i:]))
		if start+4 > len(page) {
			return fmt.Errorf("%w: a cell of page %d is outside of it", ErrDamaged, number)
		}
		if kind == interior {
			err = w.visit(int64(binary.BigEndian.Uint32(page[start:])))
		} else {
			err = w.cell(page[start:])
		}
		if err != nil {
			return err
		}
	}
	if kind == interior {
		return w.visit(int64(binary.BigEndian.Uint32(page[at+8:])))
	}
	return nil
}

// cell gives the row of a cell of a leaf.
func (w *walker) cell(cell []byte) error {
	length, n := varint(cell)
	rowid, m := varint(cell[n:])
	if n == 0 || m == 0 || length < 0 || length > w.size {
		return fmt.Errorf("%w: a row is longer than the file", ErrDamaged)
	}
	payload, err := w.payload(cell[n+m:], int(length))
	if err != nil {
		return err
	}
	values, err := w.record(payload)
	if err != nil {
		return err
	}
	return w.row(rowid, values)
}

// payload puts the parts of a row together: what does not fit into its cell is on further pages.
func (w *walker) payload(cell []byte, length int) ([]byte, error) {
	local := length
	if most := w.usable - 35; length > most {
		least := (w.usable-12)*32/255 - 23
		if local = least + (length-least)%(w.usable-4); local > most {
			local = least
		}
	}
	if local > len(cell) {
		return nil, fmt.Errorf("%w: a row is cut off", ErrDamaged)
	}
	out := append([]byte(nil), cell[:local]...)
	if local == length {
		return out, nil
	}
	if local+4 > len(cell) {
		return nil, fmt.Errorf("%w: a row is cut off", ErrDamaged)
	}
	next := int64(binary.BigEndian.Uint32(cell[local:]))
	for len(out) < length {
		page, err := w.read(next)
		if err != nil {
			return nil, err
		}
		if w.seen[next] {
			return nil, fmt.Errorf("%w: page %d is in two places", ErrDamaged, next)
		}
		w.seen[next] = true
		out = append(out, page[4:4+min(len(page)-4, length-len(out))]...)
		next = int64(binary.BigEndian.Uint32(page))
	}
	return out, nil
}

// record takes a row apart into its values.
func (f *File) record(payload []byte) ([]any, error) {
	size, n := varint(payload)
	if n == 0 || size < int64(n) || size > int64(len(payload)) {
		return nil, fmt.Errorf("%w: a row's header is cut off", ErrDamaged)
	}
	kinds, body := payload[n:size], payload[size:]
	var out []any
	for len(kinds) > 0 {
		kind, n := varint(kinds)
		if n == 0 || kind < 0 {
			return nil, fmt.Errorf("%w: a row's header is cut off", ErrDamaged)
		}
		kinds = kinds[n:]
		length := lengthOf(kind)
		if length < 0 || length > int64(len(body)) {
			return nil, fmt.Errorf("%w: a value is cut off", ErrDamaged)
		}
		out = append(out, f.value(kind, body[:length]))
		body = body[length:]
	}
	return out, nil
}

// lengthOf is how many bytes a value of a kind takes; negative of one that there is not.
func lengthOf(kind int64) int64 {
	switch {
	case kind >= 12:
		return (kind - 12) / 2
	case kind >= 10:
		return -1
	}
	return [...]int64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[kind]
}

func (f *File) value(kind int64, bytes []byte) any {
	switch {
	case kind == 0:
		return nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(bytes))
	case kind == 8 || kind == 9:
		return kind - 8
	case kind < 7:
		n := int64(int8(bytes[0]))
		for _, b := range bytes[1:] {
			n = n<<8 | int64(b)
		}
		return n
	case kind%2 == 0:
		return append([]byte(nil), bytes...)
	}
	return f.text(bytes)
}

// text decodes a text; what is none in the database's encoding gets the sign for that.
func (f *File) text(bytes []byte) string {
	if f.encoding < 2 {
		if utf8.Valid(bytes) {
			return string(bytes)
		}
		return strings.ToValidUTF8(string(bytes), "\uFFFD")
	}
	units := make([]uint16, len(bytes)/2)
	for i := range units {
		if f.encoding == 2 {
			units[i] = binary.LittleEndian.Uint16(bytes[2*i:])
		} else {
			units[i] = binary.BigEndian.Uint16(bytes[2*i:])
		}
	}
	return string(utf16.Decode(units))
}

// varint reads SQLite's numbers of one to nine bytes, high bits first; n is 0 where they are
// cut off.
func varint(bytes []byte) (value int64, n int) {
	for i, b := range bytes {
		if i == 8 {
			return value<<8 | int64(b), 9
		}
		value = value<<7 | int64(b&0x7f)
		if b < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
