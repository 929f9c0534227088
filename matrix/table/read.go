package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
)

var (
	// ErrTruncated: the file starts as a table but is cut off or damaged.
	ErrTruncated = errors.New("the file is cut off or damaged; delete it and run again the stage that writes it")
	// ErrForeign: the file is not a table of ours.
	ErrForeign = errors.New("the file is not a winnow table; check that the path is right")
)

// magic starts and ends every Parquet file.
const magic = "PAR1"

// Reader reads a table batch by batch.
type Reader struct {
	name   string
	schema Schema
	meta   map[string]string
	file   *parquet.File
	in     io.ReaderAt
	size   int64
	closer io.Closer
}

// Open opens a table's file. Errors wrap ErrTruncated or ErrForeign where they
// apply and name the file.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open table: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open table: %w", err)
	}
	r, err := NewReader(f, info.Size(), path)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.closer = f
	return r, nil
}

// NewReader reads the table in the first size bytes of r; name is for errors.
func NewReader(r io.ReaderAt, size int64, name string) (*Reader, error) {
	if err := checkEnds(r, size); err != nil {
		return nil, fmt.Errorf("read table %s: %w", name, err)
	}
	out := &Reader{name: name, meta: map[string]string{}, in: r, size: size}
	if err := out.open(r, size); err != nil {
		return nil, fmt.Errorf("read table %s: %w", name, err)
	}
	return out, nil
}

// checkEnds tells a foreign file from a truncated one. The description at the end says how long
// it is, and parquet-go makes room for that before it looks whether the file is as long.
func checkEnds(r io.ReaderAt, size int64) error {
	head := make([]byte, min(size, int64(len(magic))))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return err
	}
	if !strings.HasPrefix(magic, string(head)) {
		return ErrForeign
	}
	if size < int64(3*len(magic)) {
		return ErrTruncated
	}
	tail := make([]byte, 4+len(magic))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return err
	}
	if string(tail[4:]) != magic || int64(binary.LittleEndian.Uint32(tail)) > size-int64(len(magic)+len(tail)) {
		return ErrTruncated
	}
	return nil
}

func (r *Reader) open(in io.ReaderAt, size int64) error {
	if err := r.openFile(in, size); err != nil {
		return damaged(err)
	}
	for _, kv := range r.file.Metadata().KeyValueMetadata {
		r.meta[kv.Key] = kv.Value
	}
	described, ok := r.meta[metaSchema]
	if !ok {
		return ErrForeign
	}
	if v := r.meta[metaVersion]; v != FormatVersion {
		return fmt.Errorf("table format %q; this winnow reads format %s: use the version that wrote the file", v, FormatVersion)
	}
	schema, err := undescribe(described)
	if err != nil {
		return damaged(err)
	}
	if schema.Hash() != r.meta[metaHash] || !matches(r.file, schema) {
		return damaged(errors.New("the columns are not those the file describes"))
	}
	r.schema = schema
	return nil
}

func (r *Reader) openFile(in io.ReaderAt, size int64) (err error) {
	defer recovered(&err)
	r.file, err = parquet.OpenFile(in, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	return err
}

func damaged(err error) error { return fmt.Errorf("%w (%v)", ErrTruncated, err) }

// matches says whether the leaves of the file are the columns of the schema.
func matches(f *parquet.File, s Schema) bool {
	kinds := map[Type]parquet.Kind{Float64: parquet.Double, Int64: parquet.Int64, String: parquet.ByteArray, Bool: parquet.Boolean}
	columns := f.Root().Columns()
	if len(columns) != len(s) {
		return false
	}
	for i, c := range columns {
		if !c.Leaf() || !c.Required() || c.Name() != s[i].Name || c.Type().Kind() != kinds[s[i].Type] {
			return false
		}
	}
	return true
}

// Schema returns the columns of the file.
func (r *Reader) Schema() Schema { return r.schema }

// Meta returns the key/value metadata of the file.
func (r *Reader) Meta() map[string]string { return r.meta }

// Rows is the number of rows the file says it has.
func (r *Reader) Rows() int { return int(r.file.NumRows()) }

// Close closes the file.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// Batches walks the rows in order, one row group at a time, reading only the
// named columns (all of them when none is named). It ends after an error.
func (r *Reader) Batches(columns ...string) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) {
		groups, err := r.Groups(columns...)
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range groups.Len() {
			t, err := groups.Read(i)
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// Groups are the row groups of a table, of which some columns are read. They may be
// read in any order, and by several goroutines.
type Groups struct {
	reader *Reader
	places []int
	schema Schema
	groups []parquet.RowGroup
}

// Groups chooses columns (all of them when none is named) to be read group by group.
func (r *Reader) Groups(columns ...string) (*Groups, error) {
	places, schema, err := r.project(columns)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", r.name, err)
	}
	return &Groups{r, places, schema, r.file.RowGroups()}, nil
}

// Len is the number of groups.
func (g *Groups) Len() int { return len(g.groups) }

// Rows is the number of rows that the file says group i has.
func (g *Groups) Rows(i int) int { return int(g.groups[i].NumRows()) }

// Read reads group i.
func (g *Groups) Read(i int) (*Table, error) {
	t := &Table{Meta: g.reader.meta, schema: g.schema, columns: make([]column, len(g.schema))}
	if err := g.readGroup(i, t); err != nil {
		return nil, fmt.Errorf("read table %s: %w", g.reader.name, damaged(err))
	}
	return t, nil
}

// project finds the columns of these names.
func (r *Reader) project(names []string) (places []int, schema Schema, err error) {
	if len(names) == 0 {
		names = r.schema.Names()
	}
	at := make(map[string]int, len(r.schema))
	for i, c := range r.schema {
		at[c.Name] = i
	}
	for _, name := range names {
		i, ok := at[name]
		if !ok {
			return nil, nil, fmt.Errorf("column %q is not in the file, which has: %s", name, list(r.schema.Names()))
		}
		places, schema = append(places, i), append(schema, r.schema[i])
	}
	return places, schema, schema.Validate()
}

// Read returns the named columns of the file (all of them when none is named).
func Read(path string, columns ...string) (*Table, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.all(columns)
}

// Decode returns the table in the first size bytes of in; name is for errors.
func Decode(in io.ReaderAt, size int64, name string) (*Table, error) {
	r, err := NewReader(in, size, name)
	if err != nil {
		return nil, err
	}
	return r.all(nil)
}

func (r *Reader) all(columns []string) (*Table, error) {
	_, schema, err := r.project(columns)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", r.name, err)
	}
	out := &Table{Meta: r.meta, schema: schema, columns: make([]column, len(schema))}
	for batch, err := range r.Batches(columns...) {
		if err != nil {
			return nil, err
		}
		if out.rows == 0 { // most files have one group: keep it
			out = batch
			continue
		}
		if err := out.AppendTable(batch); err != nil {
			return nil, err
		}
	}
	return out, nil
}
