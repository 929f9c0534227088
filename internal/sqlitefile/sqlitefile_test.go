package sqlitefile

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// made was made by SQLite 3.40.1 of testdata/made.sql: a table of 60 rows on several pages of
// 512 bytes, with values of each kind and texts that run over pages.
//
//go:embed testdata/made.sqlite
var made []byte

//go:embed testdata/utf16.sqlite
var utf16le []byte

func open(t *testing.T, data []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTheRowsOfATableAreWhatSQLiteWrote(t *testing.T) {
	f := open(t, made)
	n := int64(0)
	err := f.Each("Numbers", []string{"id", "small", "large", "real", "text", "blob", "empty", "late?", "nosuch?"}, func(v []any) error {
		n++
		want := []any{n, n - 30, (n - 30) * 1 << 33, float64(n) / 4, strings.Repeat(fmt.Sprintf("%d ü ", n), int(n)), []byte{byte(n), 0, 255}, nil, nil, nil}
		if n == 60 {
			want[7] = int64(1)
		}
		for i := range want {
			if fmt.Sprint(v[i]) != fmt.Sprint(want[i]) {
				t.Errorf("row %d, value %d: %.40v, want %.40v", n, i, v[i], want[i])
			}
		}
		return nil
	})
	if err != nil || n != 60 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestTextsOfTwoByteUnitsAreRead(t *testing.T) {
	var got []any
	if err := open(t, utf16le).Each("t", []string{"key", "a b"}, func(v []any) error { got = append(got, v...); return nil }); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != "[7 grün]" {
		t.Errorf("got %v", got)
	}
}

func TestWhatIsNotThereIsAnError(t *testing.T) {
	f := open(t, made)
	for _, c := range []struct{ table, column, want string }{
		{"nosuch", "id", "no table nosuch"}, {"numbers", "nosuch", "no column nosuch"}, {"keyed", "id", "WITHOUT ROWID"},
	} {
		if err := f.Each(c.table, []string{c.column}, func([]any) error { return nil }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s.%s: %v", c.table, c.column, err)
		}
	}
	if _, err := Open(strings.NewReader("SQLite"), 6); !errors.Is(err, ErrDamaged) {
		t.Errorf("a short file: %v", err)
	}
}

// FuzzADamagedFileIsAnErrorOrRows: whatever the bytes, reading ends and takes what they are worth.
func FuzzADamagedFileIsAnErrorOrRows(f *testing.F) {
	f.Add(made)
	f.Add(utf16le)
	f.Add(made[:700])
	f.Fuzz(func(t *testing.T, data []byte) {
		bounded.Check(t, len(data), func() {
			file, err := Open(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				return
			}
			for name, table := range file.tables {
				_ = file.Each(name, table.columns, func([]any) error { return nil })
			}
		})
	})
}
