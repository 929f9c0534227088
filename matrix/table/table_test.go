package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

var fourTypes = Schema{
	{Name: "zeta", Type: Float64, Doc: "comes first although its name sorts last", Unit: "ms"},
	{Name: "count", Type: Int64},
	{Name: "id", Type: String},
	{Name: "alive", Type: Bool},
}

// randomTable draws a table of any shape, NaN and odd strings included.
func randomTable(r *rand.Rand, rows int) *Table {
	schema := append(Schema{}, fourTypes...)
	for i := range r.IntN(5) {
		schema = append(schema, Column{Name: fmt.Sprintf("extra %d", i), Type: Type(1 + r.IntN(4))})
	}
	r.Shuffle(len(schema), func(i, j int) { schema[i], schema[j] = schema[j], schema[i] })
	t, err := New(schema)
	if err != nil {
		panic(err)
	}
	floats := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 1.5}
	texts := []string{"", "é\x00\n", strings.Repeat("long", 100), "x"}
	for range rows {
		row := make([]any, len(schema))
		for i, c := range schema {
			switch c.Type {
			case Float64:
				row[i] = floats[r.IntN(len(floats))]
			case Int64:
				row[i] = int64(r.Uint64()) >> r.IntN(64)
			case String:
				row[i] = texts[r.IntN(len(texts))] + fmt.Sprint(r.IntN(50))
			case Bool:
				row[i] = r.IntN(2) == 0
			}
		}
		if err := t.Append(row...); err != nil {
			panic(err)
		}
	}
	return t
}

func encode(t *testing.T, table *Table) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Encode(&out, table); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decode(data []byte) (*Table, error) {
	return Decode(bytes.NewReader(data), int64(len(data)), "memory")
}

func TestATableSurvivesTheWayToParquetAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, rows := range []int{0, 1, 2, 63, 1023, 1024, 1025, 5000} {
		want := randomTable(r, rows)
		want.Meta = map[string]string{"stage": "kill", "a": "b"}
		data := encode(t, want)
		got, err := decode(data)
		if err != nil {
			t.Fatalf("%d rows: %v", rows, err)
		}
		if !got.Equal(want) || got.Rows() != rows {
			t.Fatalf("%d rows: the table read differs from the one written", rows)
		}
		if d := want.Schema().Difference(got.Schema()); d != "" || got.Schema()[0] != want.Schema()[0] {
			t.Fatalf("schema changed: %s, %v", d, got.Schema())
		}
		if got.Meta["stage"] != "kill" || got.Meta["a"] != "b" {
			t.Fatalf("metadata lost: %v", got.Meta)
		}
		if !bytes.Equal(data, encode(t, want)) || !bytes.Equal(data, encode(t, got)) {
			t.Fatalf("%d rows: the same table gave other bytes", rows)
		}
	}
}

func TestNaNAndNegativeZeroStayWhatTheyAre(t *testing.T) {
	in, err := FromColumns(Schema{{Name: "x", Type: Float64}}, []float64{math.NaN(), math.Copysign(0, -1)})
	if err != nil {
		t.Fatal(err)
	}
	out, err := decode(encode(t, in))
	if err != nil {
		t.Fatal(err)
	}
	x, err := out.Floats("x")
	if err != nil || !math.IsNaN(x[0]) || !math.Signbit(x[1]) {
		t.Errorf("x = %v, %v, want NaN and -0", x, err)
	}
}

func TestManySmallBatchesGiveTheTableTheyAreAPartOf(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	whole := randomTable(r, 3000)
	path := filepath.Join(t.TempDir(), "t.parquet")
	w, err := Create(path, whole.Schema(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.limit = 700 // several row groups without millions of cells
	for from := 0; from < whole.Rows(); {
		to := min(whole.Rows(), from+1+r.IntN(900))
		rows := make([]int, to-from)
		for i := range rows {
			rows[i] = from + i
		}
		part, err := whole.Pick(rows)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !got.Equal(whole) {
		t.Fatalf("read back %v, %v", got.Meta, err)
	}
	reader, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var sizes []int
	for batch, err := range reader.Batches("id") {
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, batch.Rows())
		if len(batch.Schema()) != 1 {
			t.Errorf("a batch of one column has %v", batch.Schema())
		}
	}
	if fmt.Sprint(sizes) != "[700 700 700 700 200]" || reader.Rows() != 3000 {
		t.Errorf("row groups of %v rows, %d in all", sizes, reader.Rows())
	}
}

func TestAWideTableIsWrittenInBoundedRowGroups(t *testing.T) {
	var schema Schema
	for i := range 4096 {
		schema = append(schema, Column{Name: fmt.Sprintf("f%d", i), Type: Float64})
	}
	w, err := newWriter(&bytes.Buffer{}, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if cells := w.limit * len(schema); cells > cellsPerGroup {
		t.Errorf("%d rows x %d columns in memory at a time", w.limit, len(schema))
	}
}

func TestAFileCutAnywhereIsAnErrorThatNamesItAndSaysWhatToDo(t *testing.T) {
	data := encode(t, randomTable(rand.New(rand.NewPCG(7, 8)), 200))
	step := max(1, len(data)/700)
	for cut := 0; cut < len(data); cut++ {
		if cut > 64 && cut < len(data)-64 && cut%step != 0 {
			continue
		}
		path := filepath.Join(t.TempDir(), "cut.parquet")
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "run again") {
			t.Fatalf("cut after %d of %d bytes: %v", cut, len(data), err)
		}
	}
}

func TestADamagedFileIsAnErrorOrTheSameTable(t *testing.T) {
	want := randomTable(rand.New(rand.NewPCG(9, 10)), 300)
	data := encode(t, want)
	r := rand.New(rand.NewPCG(11, 12))
	for range 400 {
		bad := bytes.Clone(data)
		at := 4 + r.IntN(len(data)-12) // the magic words and the footer's length are tested above
		bad[at] ^= 1 << r.IntN(8)
		got, err := decode(bad)
		if err != nil {
			continue
		}
		if got.Rows() != want.Rows() || len(got.Schema()) != len(want.Schema()) {
			t.Fatalf("a bit changed at byte %d gives a table of another shape and no error", at)
		}
	}
}

func TestAForeignFileIsToldFromADamagedOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("not a table, but long enough to be one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), path) {
		t.Errorf("a text file: %v", err)
	}
	if _, err := decode(foreignParquet(t)); !errors.Is(err, ErrForeign) {
		t.Errorf("a Parquet file of another tool: %v", err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestAnAbortedTableLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(filepath.Join(dir, "t.parquet"), fourTypes, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("the folder still holds %v", entries)
	}
}

func TestTheSchemaHashSeesNamesTypesAndOrderOnly(t *testing.T) {
	base := fourTypes.Hash()
	documented := append(Schema{}, fourTypes...)
	documented[1].Doc, documented[1].Unit = "changed", "km"
	if documented.Hash() != base {
		t.Error("documentation changed the hash")
	}
	renamed, retyped, moved := append(Schema{}, fourTypes...), append(Schema{}, fourTypes...), append(Schema{}, fourTypes...)
	renamed[0].Name = "theta"
	retyped[1].Type = Float64
	moved[0], moved[1] = moved[1], moved[0]
	for name, s := range map[string]Schema{"renamed": renamed, "retyped": retyped, "moved": moved, "shortened": fourTypes[:3]} {
		if s.Hash() == base || fourTypes.Difference(s) == "" {
			t.Errorf("%s: hash %s, difference %q", name, s.Hash(), fourTypes.Difference(s))
		}
	}
}

func TestImpossibleSchemasAndRowsAreRefused(t *testing.T) {
	for name, s := range map[string]Schema{
		"no name":      {{Type: Bool}},
		"two alike":    {{Name: "a", Type: Bool}, {Name: "a", Type: Int64}},
		"a comma":      {{Name: "a,b", Type: Bool}},
		"no type":      {{Name: "a"}},
		"unknown type": {{Name: "a", Type: 9}},
	} {
		if _, err := New(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	tab, err := New(fourTypes)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]any{{1.0, 2, "x"}, {1.0, 2.5, "x", true}, {"1", 2, "x", true}, {1.0, 2, "x", nil}} {
		if err := tab.Append(row...); err == nil {
			t.Errorf("row %v: no error", row)
		}
	}
	if err := tab.Append(1, 2, "x", true); err != nil || tab.Rows() != 1 {
		t.Errorf("an int for a float64 column: %v, %d rows", err, tab.Rows())
	}
	if _, err := tab.Floats("id"); err == nil {
		t.Error("a string column as floats: no error")
	}
	if _, err := tab.Ints("nothing"); err == nil || !strings.Contains(err.Error(), "zeta") {
		t.Errorf("a missing column should name those there are: %v", err)
	}
	if n, err := tab.Numbers("alive"); err != nil || n[0] != 1 {
		t.Errorf("true as a number: %v, %v", n, err)
	}
	if _, err := FromColumns(fourTypes[:2], []float64{1}, []int64{1, 2}); err == nil {
		t.Error("columns of two lengths: no error")
	}
	if _, err := FromColumns(fourTypes[:1], []int64{1}); err == nil {
		t.Error("a column of another type: no error")
	}
}

// A few bytes may claim that gigabytes describe the table.
func TestADescriptionIsNoLongerThanItsFile(t *testing.T) {
	whole := encode(t, randomTable(rand.New(rand.NewPCG(2, 2)), 5))
	for _, claimed := range []uint32{uint32(len(whole)) - 11, 1 << 30, math.MaxUint32} {
		data := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(data[len(data)-8:], claimed)
		bounded.Check(t, 0, func() {
			if _, err := decode(data); !errors.Is(err, ErrTruncated) {
				t.Errorf("a description of %d bytes in a file of %d: %v", claimed, len(data), err)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	var out bytes.Buffer
	if err := Encode(&out, randomTable(rand.New(rand.NewPCG(1, 1)), 20)); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add(out.Bytes()[:out.Len()/2])
	f.Add([]byte("PAR1PAR1PAR1"))
	f.Add([]byte("PAR1PAR1R1PPAR1")) // its last words claim a description of 1.3 GB
	f.Fuzz(func(t *testing.T, data []byte) {
		var in *Table
		var err error
		bounded.Check(t, len(data), func() { in, err = decode(data) })
		if err != nil {
			return
		}
		again, err := decode(encode(t, in))
		if err != nil || !again.Equal(in) {
			t.Fatalf("a table that can be read cannot be written and read again: %v", err)
		}
	})
}

func TestAWriterRefusesRowsOfAnotherSchemaAndUseAfterItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	w, err := Create(path, fourTypes, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(fourTypes[:2])
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(other); err == nil || !strings.Contains(err.Error(), `"id" is missing`) {
		t.Errorf("rows of another schema: %v", err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if w.Commit() == nil || w.Write(other) == nil {
		t.Error("use after the end: no error")
	}
	if got, err := Read(path); err != nil || got.Rows() != 0 {
		t.Errorf("read back: %v", err)
	}
}

func TestAWriterThatFailsCommitsNothing(t *testing.T) {
	w, err := newWriter(&fullDisk{}, fourTypes, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.limit = 10
	err = w.Write(tableOf(t, 5000))
	if err == nil {
		err = w.Commit()
	}
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("a full disk: %v", err)
	}
}

// fullDisk accepts the first kilobyte.
type fullDisk struct{ held int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.held += len(p); d.held > 1024 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func tableOf(t *testing.T, rows int) *Table {
	t.Helper()
	out, err := New(fourTypes)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := out.Append(float64(i), i*i, fmt.Sprint(i), i%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// A table of a thousand columns does not tell all their names when one is asked for that
// it lacks.
func TestAnErrorTellsSomeOfManyColumns(t *testing.T) {
	var schema Schema
	var columns []any
	for i := range 300 {
		schema = append(schema, Column{Name: fmt.Sprint("column", i), Type: Float64})
		columns = append(columns, []float64{1})
	}
	wide, err := FromColumns(schema, columns...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = wide.Numbers("colour")
	if err == nil || !strings.Contains(err.Error(), "colour") || !strings.Contains(err.Error(), "and 280 more") {
		t.Errorf("the error is %v", err)
	}
}
