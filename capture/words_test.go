package capture

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestWordsArePartedAsAShellDoes(t *testing.T) {
	for line, want := range map[string][]string{
		`a b  c`:                   {"a", "b", "c"},
		`'a b' "c d" e\ f`:         {"a b", "c d", "e f"},
		`-DX="\"q\"" '' ""`:        {`-DX="q"`, "", ""},
		`"a\b\$c" 'd\e'`:           {`a\b$c`, `d\e`},
		"one\\\n two\tthree\nfour": {"one", "two", "three", "four"},
		``:                         nil,
		`tail\`:                    {`tail\`},
	} {
		if got, err := splitWords(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q gives %q, %v, want %q", line, got, err, want)
		}
	}
	if _, err := splitWords(`'open`); err == nil {
		t.Error("an open quotation mark was read")
	}
}

// What splitWords makes of plain text is what the shell makes of it.
func FuzzWordsArePartedAsAShellDoes(f *testing.F) {
	for _, seed := range []string{`a 'b c' "d\"e" f\ g`, `''x"" \\`, "-I. -DA='\"x\"'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "$`;&|<>()*?[]{}~#!=\x00\r\n\v\f\x85\xa0") || strings.HasSuffix(line, `\`) {
			return // a shell would do more than part it
		}
		for _, r := range line {
			if r > 126 || r < 32 && r != '\t' {
				return
			}
		}
		got, err := splitWords(line)
		out, shellErr := exec.Command("sh", "-c", `for w in `+line+`; do printf '%s\0' "$w"; done`).Output()
		if (err != nil) != (shellErr != nil) {
			t.Fatalf("%q: %v, the shell %v", line, err, shellErr)
		}
		if want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); err == nil && len(out)+len(got) > 0 && !slices.Equal(got, want) {
			t.Errorf("%q gives %q, the shell %q", line, got, want)
		}
	})
}

func TestCommandsOfARecipeAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"./prog <in >out":                               "./prog",
		"LD_LIBRARY_PATH=. ./bzip2 -d < a > b":          "./bzip2",
		"cd tests && ./run; echo done | wc -l":          "cd ./run echo wc",
		"if ./a; then ./b 2>&1; else ! ./c; fi":         "./a ./b ./c fi",
		"for f in 1 2; do sh $f || exit 1; done":        "for sh exit done",
		"# make -C ../programs":                         "",
		"x=`./gen` && (./one; ./two) # then":            "./gen ./one ./two",
		"\"./with space\" 'a;b' > >(cat)":               "./with space cat",
		"cc -o gen gen.c && ./gen >out.h":               "cc ./gen",
		"MAWK=`pwd`/mawk; export MAWK; cd ./test; ./t1": "pwd /mawk export cd ./t1",
	} {
		if got := strings.Join(commandsOf(text), " "); got != want {
			t.Errorf("%q has the commands %q, want %q", text, got, want)
		}
	}
}

func TestWordsAfterARedirectionAreFilesThatAreWritten(t *testing.T) {
	var into []string
	for _, w := range shellWords("./a <in >out 2>>log 2>&1 | tee copy >/dev/null") {
		if w.into {
			into = append(into, w.text)
		}
	}
	if !slices.Equal(into, []string{"out", "log", "/dev/null"}) {
		t.Errorf("written are %q", into)
	}
}
