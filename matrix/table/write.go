package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

const (
	// cellsPerGroup bounds the row groups: the writer keeps one in memory.
	cellsPerGroup = 1 << 23
	// maxGroupRows bounds them further for narrow tables.
	maxGroupRows = 1 << 19
	// chunk is how many values go to or come from the library at a time.
	chunk = 1024

	// FormatVersion is the version of the file's own metadata.
	FormatVersion = "1"

	metaPrefix  = "winnow.table."
	metaVersion = metaPrefix + "version"
	metaSchema  = metaPrefix + "schema"
	metaHash    = metaPrefix + "hash"
)

// Writer writes a table batch by batch; it holds one row group in memory.
// Exactly one of Commit and Abort ends it; Abort after Commit does nothing.
type Writer struct {
	schema Schema
	out    *parquet.GenericWriter[any]
	file   *atomicfile.File // nil when the destination is not a file of ours
	values []parquet.Value
	// rows of the current row group, and how many it may have.
	filled, limit int
	err           error
}

// Create starts the file that Commit puts at path. Metadata that is known only
// at the end can still be given with SetMeta.
func Create(path string, schema Schema, meta map[string]string) (*Writer, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(f, schema, meta)
	if err != nil {
		f.Abort()
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	w.file = f
	return w, nil
}

func newWriter(out io.Writer, schema Schema, meta map[string]string) (w *Writer, err error) {
	defer recovered(&err)
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if len(schema) == 0 {
		return nil, errors.New("a table without columns cannot be written")
	}
	config := []parquet.WriterOption{
		physical(schema),
		parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("winnow", FormatVersion, ""),
		parquet.KeyValueMetadata(metaVersion, FormatVersion),
		parquet.KeyValueMetadata(metaSchema, describe(schema)),
		parquet.KeyValueMetadata(metaHash, schema.Hash()),
	}
	for key, value := range meta {
		if strings.HasPrefix(key, metaPrefix) {
			continue // read from another file, and true of that one only
		}
		config = append(config, parquet.KeyValueMetadata(key, value))
	}
	return &Writer{
		schema: schema,
		out:    parquet.NewGenericWriter[any](out, config...),
		values: make([]parquet.Value, chunk),
		limit:  min(maxGroupRows, max(1, cellsPerGroup/len(schema))),
	}, nil
}

// Write adds the rows of batch, whose schema must have the writer's hash.
func (w *Writer) Write(batch *Table) (err error) {
	if w.err != nil {
		return w.err
	}
	if d := w.schema.Difference(batch.schema); d != "" {
		return fmt.Errorf("write rows: %s", d)
	}
	defer func() { w.err = err }() // a row group in pieces must not be committed
	defer recovered(&err)
	for from := 0; from < batch.rows; {
		to := min(batch.rows, from+w.limit-w.filled)
		for i, out := range w.out.ColumnWriters() {
			if err := w.writeColumn(out, batch, i, from, to); err != nil {
				return err
			}
		}
		w.filled += to - from
		if w.filled == w.limit {
			if err := w.out.Flush(); err != nil {
				return fmt.Errorf("write row group: %w", err)
			}
			w.filled = 0
		}
		from = to
	}
	return nil
}

func (w *Writer) writeColumn(out *parquet.ColumnWriter, batch *Table, col, from, to int) error {
	c := &batch.columns[col]
	for ; from < to; from += chunk {
		values := w.values[:min(chunk, to-from)]
		for i := range values {
			r := from + i
			switch w.schema[col].Type {
			case Float64:
				values[i] = parquet.DoubleValue(c.floats[r])
			case Int64:
				values[i] = parquet.Int64Value(c.ints[r])
			case String:
				values[i] = parquet.ByteArrayValue([]byte(c.strings[r]))
			case Bool:
				values[i] = parquet.BooleanValue(c.bools[r])
			}
			values[i] = values[i].Level(0, 0, col)
		}
		if _, err := out.WriteRowValues(values); err != nil {
			return fmt.Errorf("write column %q: %w", w.schema[col].Name, err)
		}
	}
	return nil
}

// Commit finishes the file and gives it its name.
func (w *Writer) Commit() (err error) {
	defer recovered(&err)
	if w.err != nil {
		w.Abort()
		return w.err
	}
	if err := w.out.Close(); err != nil {
		w.Abort()
		return fmt.Errorf("finish table: %w", err)
	}
	w.err = errors.New("the table is already written")
	if w.file != nil {
		return w.file.Commit()
	}
	return nil
}

// Abort removes what was written, unless it is committed.
func (w *Writer) Abort() {
	if w.file != nil {
		w.file.Abort()
	}
}

// Write puts the table and its metadata at path.
func Write(path string, t *Table) error {
	w, err := Create(path, t.schema, t.Meta)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.Write(t); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return w.Commit()
}

// Encode writes the table and its metadata to out.
func Encode(out io.Writer, t *Table) error {
	w, err := newWriter(out, t.schema, t.Meta)
	if err != nil {
		return fmt.Errorf("encode table: %w", err)
	}
	if err := w.Write(t); err != nil {
		return fmt.Errorf("encode table: %w", err)
	}
	return w.Commit()
}

// physical is the Parquet schema of s. The library's own Group sorts its
// fields by name; ordered keeps the table's order, which is what a reader of
// the file sees.
func physical(s Schema) *parquet.Schema {
	group := parquet.Group{}
	for _, c := range s {
		switch c.Type {
		case Float64:
			group[c.Name] = parquet.Leaf(parquet.DoubleType)
		case Int64:
			group[c.Name] = parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
		case String:
			group[c.Name] = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		case Bool:
			group[c.Name] = parquet.Leaf(parquet.BooleanType)
		}
	}
	fields := make([]parquet.Field, len(s))
	for _, f := range group.Fields() {
		fields[s.Index(f.Name())] = f
	}
	return parquet.NewSchema("winnow", ordered{group, fields})
}

type ordered struct {
	parquet.Group
	fields []parquet.Field
}

func (o ordered) Fields() []parquet.Field { return o.fields }

// described is a column in the file's metadata.
type described struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"doc,omitempty"`
}

func describe(s Schema) string {
	columns := make([]described, len(s))
	for i, c := range s {
		columns[i] = described{c.Name, c.Type.String(), c.Unit, c.Doc}
	}
	text, err := json.Marshal(columns)
	if err != nil { // strings only: cannot fail
		panic(err)
	}
	return string(text)
}

func undescribe(text string) (Schema, error) {
	var columns []described
	if err := json.Unmarshal([]byte(text), &columns); err != nil {
		return nil, err
	}
	s := make(Schema, len(columns))
	for i, c := range columns {
		typ, err := ParseType(c.Type)
		if err != nil {
			return nil, err
		}
		s[i] = Column{Name: c.Name, Type: typ, Doc: c.Doc, Unit: c.Unit}
	}
	return s, s.Validate()
}

// recovered turns a panic of the Parquet library into an error: it may panic
// on a damaged file.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquet: %v", p)
	}
}
