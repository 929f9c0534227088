package command

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzTable: runs write to their table what they like.
func FuzzTable(f *testing.F) {
	f.Add(make([]byte, 3*pageBytes), 7)
	f.Add([]byte{255, 255, 255, 255}, 1)
	f.Add(append([]byte{0, 255, 255, 255, 255}, make([]byte, 2*pageBytes)...), 5000)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 1 || size > 1<<30 {
			return // no program's
		}
		bounded.Check(t, len(data), func() {
			noted := readTable(data, size)
			for _, sites := range noted.sites {
				if len(sites) != size {
					t.Errorf("a table of %d sites, not %d", len(sites), size)
				}
			}
			if len(data) >= pageBytes {
				if n := taken(data[:pageBytes], size); n < 0 || n > tableSize(size) {
					t.Errorf("%d bytes of %d are taken", n, tableSize(size))
				}
			}
		})
	})
}

// FuzzCases: tests and mutants print what they like. A case that passes is not blamed, and none is blamed twice.
func FuzzCases(f *testing.F) {
	f.Add("ok 1 - a\nok 2 - b\nok 3 - c\n", "ok 1 - a\nnot ok 2 - b\nok 3 - c\n", 0)
	f.Add("a: ok\nb: ok\nc: ok\n", "a: ok\n", 11)
	f.Add("[ OK ] a\n[ OK ] a\n", "", 9)
	f.Add("a: ok\na: ok\na (2): ok\na: ok", "a (2): ok\na: ok\n", 9)
	f.Add("PASS: a\nPASS: b\n12 tests passed\n", "PASS: b\nFAIL: a\n", 0)
	f.Fuzz(func(t *testing.T, original, mutant string, signal int) {
		reply := func(text string, signal int) *reply {
			return &reply{Signal: signal, Stdout: printed{Length: int64(len(text)), Tail: []byte(text)}}
		}
		cases := casesOf(reply(original, 0))
		seen := map[string]bool{}
		for _, name := range cases {
			if seen[name] {
				t.Errorf("two cases are called %q", name)
			}
			seen[name] = true
			if name == "" || len([]rune(name)) > nameRunes+len(" (1000)") {
				t.Errorf("a case is called %q", name)
			}
		}
		if failed, unknown := blame(cases, nil, reply(original, 0)); len(failed)+len(unknown) > 0 {
			t.Errorf("the original fails %v and leaves %v open of %q", failed, unknown, cases)
		}
		run := reply(mutant, signal)
		passes := map[string]bool{}
		for _, name := range readResults(run).passed {
			passes[name] = true
		}
		failed, unknown := blame(cases, nil, run)
		blamed := map[int]bool{}
		for _, k := range append(failed, unknown...) {
			if passes[cases[k]] || blamed[k] {
				t.Errorf("case %q is blamed, of %q", cases[k], mutant)
			}
			blamed[k] = true
		}
		for k, name := range cases {
			if !passes[name] && !blamed[k] {
				t.Errorf("case %q does not pass, and is not blamed, of %q", name, mutant)
			}
		}
	})
}

func BenchmarkReadResults(b *testing.B) {
	text := []byte(strings.Repeat("reading block 17 of the file, 4096 bytes\n", 20_000) + "a: ok\nb: ok\n")
	r := &reply{Stdout: printed{Length: int64(len(text)), Tail: text}}
	for b.Loop() {
		if len(readResults(r).passed) != 2 {
			b.Fatal("cases were not found")
		}
	}
}
