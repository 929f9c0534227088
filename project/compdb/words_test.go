package compdb

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// shellWords asks the shell itself for the words of a command.
func shellWords(t *testing.T, command string) ([]string, bool) {
	t.Helper()
	out, err := exec.Command("sh", "-c", `eval "set -- $0"; for w in "$@"; do printf '%s\0' "$w"; done`, command).Output()
	if err != nil {
		return nil, false
	}
	words := strings.Split(string(out), "\x00")
	return words[:len(words)-1], true
}

func TestCommandsAreSplitAsTheShellSplitsThem(t *testing.T) {
	for _, command := range []string{
		"cc -c a.c", "  cc\t-c  'a b.c'  ", `cc "-DS=\"x\"" -c a.c`, `cc -DS='"x"' a\ b.c`, `cc "a\b" 'a\b' a\\b`,
		`cc ""  ''`, `cc a"b c"d'e f'g`, "cc \\\n -c a.c", "cc \"a\\\nb\"", `cc "it's"`, `cc 'say "x"'`, "cc \\  \\\n", "", "   ",
	} {
		want, ok := shellWords(t, command)
		if !ok {
			t.Fatalf("the shell does not take %q", command)
		}
		got, err := Words(command)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; the shell says %q", command, got, err, want)
		}
	}
}

func TestRandomCommandsAreSplitAsTheShellSplitsThem(t *testing.T) {
	rng := stream.New(1, "project/split")
	pieces := []string{"a", "-I", " ", "  ", "\t", "'", "'", `"`, `"`, `\`, `\`, "=", "ä", "/x"}
	var commands []string
	for range 300 {
		var b strings.Builder
		for range 1 + rng.IntN(10) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		command := b.String()
		if !strings.HasSuffix(command, `\`) { // what that means is not specified
			commands = append(commands, command)
		}
	}
	compared := 0
	for _, command := range commands {
		want, ok := shellWords(t, command)
		got, err := Words(command)
		if ok != (err == nil) {
			t.Errorf("%q: %q, %v; the shell says %q, %v", command, got, err, want, ok)
			continue
		}
		if ok && !slices.Equal(got, want) {
			t.Errorf("%q: %q; the shell says %q", command, got, want)
		}
		compared++
	}
	if compared < 200 {
		t.Errorf("only %d commands were compared", compared)
	}
}

func FuzzWordsKeepsQuotedWords(f *testing.F) {
	f.Add("a", "b c")
	f.Add("it's", `\"$`)
	f.Fuzz(func(t *testing.T, a, b string) {
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		got, err := Words(quote(a) + " " + quote(b))
		if err != nil || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %v from the quoted %q and %q", got, err, a, b)
		}
	})
}

func TestRelativePathsInFlagsAreSeenFromTheCompilersFolder(t *testing.T) {
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "config.h"), "")
	got := AbsoluteFlags(dir, []string{
		"-Iinc", "-I", "../up", "-I/usr/x", "-isystem", "sys", "-iquote", "/abs", "-idirafter", "late",
		"-include", "config.h", "-include", "stdio.h", "-DX=-Iinc", "-I",
	})
	want := []string{
		"-I" + filepath.Join(dir, "inc"), "-I", filepath.Join(filepath.Dir(dir), "up"), "-I/usr/x", "-isystem", filepath.Join(dir, "sys"),
		"-iquote", "/abs", "-idirafter", filepath.Join(dir, "late"),
		"-include", filepath.Join(dir, "config.h"), "-include", "stdio.h", "-DX=-Iinc", "-I",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
