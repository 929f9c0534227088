package table

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

func (g *Groups) readGroup(k int, t *Table) (err error) {
	defer recovered(&err)
	group := g.groups[k]
	rows := group.NumRows()
	chunks := group.ColumnChunks()
	columns := g.reader.file.Metadata().RowGroups[k].Columns
	values := make([]parquet.Value, chunk)
	for i, place := range g.places {
		if err := checkPages(g.reader.in, g.reader.size, &columns[place].MetaData); err != nil {
			return fmt.Errorf("column %q: %w", t.schema[i].Name, err)
		}
		n, err := readColumn(chunks[place], &t.columns[i], t.schema[i].Type, rows, values)
		if err != nil {
			return fmt.Errorf("column %q: %w", t.schema[i].Name, err)
		}
		if n != rows {
			return fmt.Errorf("column %q: %d of %d values", t.schema[i].Name, n, rows)
		}
	}
	t.rows = int(rows)
	return nil
}

// readColumn reads a column of a row group by way of values. The number of rows is
// what the file claims, so that space is reserved only as far as a group of ours can
// go.
func readColumn(in parquet.ColumnChunk, c *column, typ Type, rows int64, values []parquet.Value) (int64, error) {
	reserve := int(min(max(rows, 0), maxGroupRows))
	switch typ {
	case Float64:
		c.floats = make([]float64, 0, reserve+1) // room to see that there is no more
	case Int64:
		c.ints = make([]int64, 0, reserve+1)
	case String:
		c.strings = make([]string, 0, reserve)
	case Bool:
		c.bools = make([]bool, 0, reserve)
	}
	pages := in.Pages()
	defer pages.Close()
	read := int64(0)
	var words dictionary
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return read, err
		}
		if typ == String && page.Dictionary() != nil {
			words.load(page.Dictionary())
			if read += page.NumValues(); read <= rows {
				places := page.Data()
				c.strings = words.look(c.strings, places.Int32())
			} else {
				err = errTooMany
			}
		} else {
			read, err = c.readPage(page, typ, read, rows, values)
		}
		parquet.Release(page)
		if err != nil {
			return read, err
		}
	}
}

var errTooMany = errors.New("its pages do not hold what the footer says")

// readPage appends the values of a page, of rows that there are at most; read are those
// before, and with those of the page it is returned.
func (c *column) readPage(page parquet.Page, typ Type, read, rows int64, values []parquet.Value) (int64, error) {
	from := page.Values()
	var err error
	for err == nil {
		var n int
		if doubles, ok := from.(parquet.DoubleReader); ok && typ == Float64 {
			n, err = readInto(&c.floats, doubles.ReadDoubles)
		} else if longs, ok := from.(parquet.Int64Reader); ok && typ == Int64 {
			n, err = readInto(&c.ints, longs.ReadInt64s)
		} else {
			n, err = from.ReadValues(values)
			c.appendValues(values[:n], typ)
		}
		read += int64(n)
		if read > rows || n == 0 && err == nil {
			return read, errTooMany
		}
	}
	if err == io.EOF {
		err = nil
	}
	return read, err
}

// readInto appends some values without making parquet's general values of them.
func readInto[T any](to *[]T, read func([]T) (int, error)) (int, error) {
	old := len(*to)
	if old == cap(*to) {
		*to = slices.Grow(*to, chunk)
	}
	n, err := read((*to)[old:cap(*to)])
	*to = (*to)[:old+n]
	return n, err
}

// dictionary has the different texts of a column of a row group, which share memory.
type dictionary struct {
	from  parquet.Dictionary
	words []string
}

func (d *dictionary) load(from parquet.Dictionary) {
	if d.from == from {
		return
	}
	d.from, d.words = from, make([]string, from.Len())
	for i := range d.words {
		d.words[i] = string(from.Index(int32(i)).ByteArray())
	}
}

func (d *dictionary) look(to []string, places []int32) []string {
	for _, i := range places {
		to = append(to, d.words[i])
	}
	return to
}

// appendValues copies the values.
func (c *column) appendValues(values []parquet.Value, typ Type) {
	for _, v := range values {
		switch typ {
		case Float64:
			c.floats = append(c.floats, v.Double())
		case Int64:
			c.ints = append(c.ints, v.Int64())
		case String:
			c.strings = append(c.strings, string(v.ByteArray()))
		case Bool:
			c.bools = append(c.bools, v.Boolean())
		}
	}
}
