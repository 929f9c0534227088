package command

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestCommandLinesAreReadAsCompilersDo(t *testing.T) {
	for _, c := range []struct {
		line string
		want string
	}{
		{"cc -c a.c", "object of [a.c:c]"},
		{"cc -ca.c", "link of []"}, // no such flag; gcc refuses it
		{"gcc -O2 -Wall -c -o out/a.o a.c", "object out/a.o of [a.c:c]"},
		{"gcc -oprog a.c b.o -Llib -L more -lz -lm libx.a", "link prog of [a.c:c b.o: -lz -lm libx.a:] dirs lib more"},
		{"gcc -shared -Wl,-soname,libx.so.1 -o libx.so.1.2 a.o", "shared libx.so.1.2 of [a.o:]"},
		{"gcc -Wl,-shared a.o -o x.so", "shared x.so of [a.o:]"},
		{"ld -r -o both.o a.o b.o", "partial both.o of [a.o: b.o:]"},
		{"gcc -nostdlib -Wl,-r -o both.o a.o", "partial both.o of [a.o:]"},
		{"ld -m elf_x86_64 -z now -soname x -o x a.o", "link x of [a.o:]"},
		{"gcc -S a.c -o a.s", "assembly a.s of [a.c:c]"},
		{"gcc -c start.S low.s", "object of [start.S:assembler-with-cpp low.s:assembler]"},
		{"g++ -c a.cc -I inc", "object of [a.cc:c++]"},
		{"cc -x c++ -c a.c -x none b.c", "object of [a.c:c++ b.c:c]"},
		{"cc -E a.c", "nothing of [a.c:c]"},
		{"cc -E -c a.c", "nothing of [a.c:c]"},
		{"cc -c -M a.c", "nothing of [a.c:c]"},
		{"cc -MD -MF dep/a.d -MT a.o -c a.c", "object of [a.c:c]"},
		{"cc -x c -", "nothing of [-:c]"},
		{"cc --version", "nothing of []"},
		{"cc -include config.h -imacros m.h -isystem /x -iquote q -idirafterafter -c a.c", "object of [a.c:c]"},
		{"cc a.o -Wl,--start-group,-lfoo,-lbar,--end-group", "link of [a.o: -lfoo -lbar]"},
		{"clang -target x86_64-linux-gnu --sysroot /s -Xclang -load -c a.c", "object of [a.c:c]"},
	} {
		if got := show(Parse(strings.Fields(c.line))); got != strings.Replace(c.want, "link of []", "nothing of []", 1) {
			t.Errorf("%s\n is %s\nwant %s", c.line, got, c.want)
		}
	}
}

func show(c *Command) string {
	stage := []string{"nothing", "assembly", "object", "link"}[c.Stage]
	if c.Stage == Link && c.Shared {
		stage = "shared"
	}
	if c.Stage == Link && c.Partial {
		stage = "partial"
	}
	var in []string
	for _, i := range c.Inputs {
		if i.Library != "" {
			in = append(in, "-l"+i.Library)
			continue
		}
		in = append(in, i.Path+":"+i.Language)
	}
	out := stage + " "
	if c.Output != "" {
		out += c.Output + " "
	}
	out += fmt.Sprint("of ", in)
	if len(c.LibraryDirs) > 0 {
		out += " dirs " + strings.Join(c.LibraryDirs, " ")
	}
	return out
}

func TestFlagsAreKeptByWhatTheyMean(t *testing.T) {
	line := "cc -std=gnu99 -O2 -g3 -DA=1 -D B -UNDEBUG -I. -I ../inc -isystem /x -include config.h -Wall -Wno-unused -w -pedantic -Werror -Werror=vla " +
		"-fno-strict-aliasing -fwrapv -funsigned-char -fPIC -DPIC -fstack-protector-strong -fsanitize=address -flto=auto -pipe -MMD -MP -MF a.d " +
		"-m32 -march=native -mtune=native -msse4.2 -pthread -fopenmp -Wp,-D_FORTIFY_SOURCE=2,-MD,a.d -fplugin=x.so -specs=hard.specs -Xclang -disable-x " +
		"--coverage -fno-such-thing -c a.c"
	c := Parse(strings.Fields(line))
	for _, list := range []struct {
		name      string
		got, want []string
	}{
		{"kept", c.Flags, []string{"-std=gnu99", "-DA=1", "-D", "B", "-UNDEBUG", "-I.", "-I", "../inc", "-isystem", "/x", "-include", "config.h", "-Wall",
			"-Wno-unused", "-w", "-pedantic", "-fno-strict-aliasing", "-fwrapv", "-funsigned-char", "-m32", "-march=native", "-msse4.2", "-pthread",
			"-fopenmp", "-D_FORTIFY_SOURCE=2"}},
		{"position", c.Position, []string{"-fPIC", "-DPIC"}},
		{"dropped", c.Dropped, []string{"-O2", "-g3", "-Werror", "-Werror=vla", "-fstack-protector-strong", "-fsanitize=address", "-flto=auto", "-pipe",
			"-MMD", "-MP", "-MF a.d", "-mtune=native", "-MD a.d", "--coverage", "-fno-such-thing"}},
		{"refused", c.Refused, []string{"-fplugin=x.so", "-specs=hard.specs", "-Xclang -disable-x"}},
	} {
		if !slices.Equal(list.got, list.want) {
			t.Errorf("%s: %q\nwant %q", list.name, list.got, list.want)
		}
	}
}

// Every word of a compile is an input, the output, -c, or in one of the lists: none is
// lost in silence.
func TestNoFlagIsLost(t *testing.T) {
	line := strings.Fields("-std=c99 -Ia -I b -DX -D Y -O3 -fPIC -fplugin=p -Wall -unknown --param max=3 -Wp,-DZ,-UQ -o o.o -c s.c -frandom-seed=1 -mmmx")
	c := Parse(append([]string{"cc"}, line...))
	filed := strings.Join(slices.Concat(c.Flags, c.Position, c.Dropped, c.Refused, []string{"-o", c.Output, "-c", c.Inputs[0].Path}), " ")
	for _, word := range line {
		for _, part := range strings.Split(strings.TrimPrefix(word, "-Wp,"), ",") {
			if !slices.Contains(strings.Fields(filed), part) {
				t.Errorf("%s is nowhere: %s", part, filed)
			}
		}
	}
}

func TestEveryRuleDecidesItsOwnPattern(t *testing.T) {
	for _, r := range flagRules {
		flag := strings.TrimSuffix(r.pattern, "*")
		for _, earlier := range flagRules {
			if earlier == r {
				break
			}
			if earlier.fits(flag) && earlier.verdict != r.verdict {
				t.Errorf("%s never reaches its rule: %s decides first", r.pattern, earlier.pattern)
			}
		}
	}
}

// The package comment names the lists; it must not promise what they do not do.
func TestThePackageCommentSaysWhatTheRulesDo(t *testing.T) {
	text, err := os.ReadFile("command.go")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, _ := strings.Cut(string(text), "\npackage ")
	for flag, want := range map[string]verdict{"-std": keep, "-ansi": keep, "-trigraphs": keep, "-ffreestanding": keep, "-D": keep, "-U": keep, "-I": keep,
		"-include": keep, "-isystem": keep, "-nostdinc": keep, "-m32": keep, "-march": keep, "--target": keep, "--sysroot": keep, "-pthread": keep,
		"-w": keep, "-pedantic": keep, "-Wno-": keep, "-mtune": drop, "-Werror": drop} {
		if !strings.Contains(comment, flag) {
			t.Errorf("the comment does not name %s", flag)
		}
		spelt := flag
		if flag == "-std" || flag == "-march" || flag == "--target" || flag == "-mtune" {
			spelt += "=x"
		}
		if got := verdictOf(spelt); got != want {
			t.Errorf("%s has verdict %d, the comment says %d", flag, got, want)
		}
	}
}

func TestArchiversAreReadByOperation(t *testing.T) {
	for line, want := range map[string]string{
		"ar cru liba.a x.o y.o":                "liba.a [x.o y.o] []",
		"ar -rcs liba.a x.o":                   "liba.a [x.o] []",
		"ar rc -s liba.a x.o":                  "liba.a [x.o] []",
		"ar --plugin p.so qc liba.a x.o":       "liba.a [x.o] []",
		"gcc-ar rcsT liba.a x.o":               "liba.a [x.o] []",
		"ar rb mid.o liba.a x.o":               "liba.a [x.o] []",
		"ar d liba.a x.o":                      "liba.a [] [x.o]",
		"ar x liba.a":                          " [] []",
		"ar t liba.a":                          " [] []",
		"ar s liba.a":                          " [] []",
		"ar":                                   " [] []",
		"x86_64-linux-gnu-ar cr lib/liba.a -x": "lib/liba.a [-x] []",
	} {
		a := ParseArchive(strings.Fields(line))
		if got := fmt.Sprintf("%s %v %v", a.Path, a.Members, a.Gone); got != want {
			t.Errorf("%s\n is %s\nwant %s", line, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("-c a.c -o b -I")
	f.Add("-Wp,-MD -x -D")
	f.Add("- -o")
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		c := Parse(append([]string{"cc"}, words...))
		ParseArchive(append([]string{"ar"}, words...))
		for _, in := range c.Inputs {
			if in.Path == "" && in.Library == "" && !strings.Contains(line, "-l") {
				t.Errorf("%q has an input that is nothing", line)
			}
		}
	})
}
