package graph

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/capture/note"
)

// script is a log in few words: one call a line, in the folder /p, each at a time of
// its own. "<a.o=1" is an input with its hash, ">a.o=1" an output.
func script(text string) []note.Entry {
	var out []note.Entry
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		e := note.Entry{Kind: note.Compiler, Dir: "/p", ID: fmt.Sprint(i), Began: int64(10 * i), Ended: int64(10*i + 5)}
		for _, word := range strings.Fields(line) {
			path, hash, _ := strings.Cut(word[1:], "=")
			switch word[0] {
			case '<':
				e.In = append(e.In, note.File{Path: path, Hash: hash})
			case '>':
				e.Out = append(e.Out, note.File{Path: path, Hash: hash})
			case '!':
				e.Status = 1
			case '@':
				e.Dir = word[1:]
			default:
				e.Argv = append(e.Argv, word)
			}
		}
		if strings.HasSuffix(e.Argv[0], "ar") || e.Argv[0] == "strip" || e.Argv[0] == "ranlib" {
			e.Kind = note.Binutil
		}
		out = append(out, e)
	}
	return out
}

// now reads "path=hash" words as the files that there are at the end.
func now(text string) map[string]string {
	out := map[string]string{}
	for _, word := range strings.Fields(text) {
		path, hash, _ := strings.Cut(word, "=")
		out["/p/"+path] = hash
	}
	return out
}

// show prints a graph: each product with what it is made of.
func show(g *Graph) string {
	var b strings.Builder
	for _, p := range g.Products {
		fmt.Fprintf(&b, "%s %s:", p.Kind, rel(p.Path))
		for _, in := range p.Inputs {
			switch {
			case in.Unit != nil:
				fmt.Fprintf(&b, " %s", rel(in.Unit.Source))
				if in.Unit.Variant > 1 {
					fmt.Fprintf(&b, "#%d", in.Unit.Variant)
				}
				if len(in.Position) > 0 {
					fmt.Fprintf(&b, "%v", in.Position)
				}
			case in.Product != nil:
				fmt.Fprintf(&b, " (%s)", rel(in.Product.Path))
			case in.Library != "":
				fmt.Fprintf(&b, " -l%s", in.Library)
			default:
				fmt.Fprintf(&b, " ?%s", rel(in.File))
			}
		}
		if len(p.Copies) > 0 {
			fmt.Fprintf(&b, " copies %s", rel(strings.Join(p.Copies, " ")))
		}
		if p.Twin != nil {
			fmt.Fprintf(&b, " twin %s", rel(p.Twin.Path))
		}
		if p.Gone {
			b.WriteString(" gone")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func rel(path string) string { return strings.ReplaceAll(path, "/p/", "") }

func check(t *testing.T, log, files, want string) *Graph {
	t.Helper()
	g := Build([]Source{{"build", script(log)}}, now(files))
	if got := show(g); got != strings.TrimLeft(want, "\n") {
		t.Errorf("got\n%swant%s", got, want)
	}
	return g
}

func TestAProgramIsItsUnitsInLinkOrder(t *testing.T) {
	check(t, `
cc -c b.c >b.o=2
cc -DX -c a.c >a.o=1
cc -o prog a.o b.o -lm crt.o <a.o=1 <b.o=2 <crt.o=9 >prog=3
`, "prog=3", `
program prog: a.c b.c -lm ?crt.o
`)
}

func TestObjectsAreKnownByWhatTheyHoldAfterMoves(t *testing.T) {
	check(t, `
cc -c a.c -o t.o >t.o=1
cc -c b.c -o t.o >t.o=2
cc -o prog.tmp moved.o t.o <moved.o=1 <t.o=2 >prog.tmp=3
`, "bin/prog=3", `
program bin/prog: a.c b.c
`)
}

func TestANameUsedTwiceMeansWhatItHeldThen(t *testing.T) {
	check(t, `
cc -c a.c -o t.o >t.o=1
ar q liba.a t.o <t.o=1 >liba.a=11
cc -c b.c -o t.o >t.o=2
ar q liba.a t.o <liba.a=11 <t.o=2 >liba.a=12
ranlib liba.a <liba.a=12 >liba.a=13
cc main.c liba.a -o prog <liba.a=13 >prog=20
`, "liba.a=13 prog=20", `
archive liba.a: a.c b.c
program prog: main.c (liba.a)
`)
}

func TestAReplacedMemberCountsOnce(t *testing.T) {
	check(t, `
cc -c a.c >a.o=1
ar r liba.a a.o <a.o=1 >liba.a=11
cc -DNEW -c a.c >a.o=2
ar r liba.a a.o <liba.a=11 <a.o=2 >liba.a=12
ar d liba.a gone.o <liba.a=12 >liba.a=12
`, "liba.a=12", `
archive liba.a: a.c#2
`)
}

// libtool compiles each source twice, and moves the objects.
func TestPositionIndependenceMakesNoUnitOfItsOwn(t *testing.T) {
	g := check(t, `
gcc -Wall -c a.c -fPIC -DPIC -o .libs/a.o >.libs/a.o=1
gcc -Wall -c a.c -o a.o >a.o=2
gcc -shared -fPIC .libs/a.o -o .libs/libx.so.1.0 <.libs/a.o=1 >.libs/libx.so.1.0=3
ar cr .libs/libx.a a.o <a.o=2 >.libs/libx.a=4
gcc -o .libs/test test.c ./.libs/libx.so <./.libs/libx.so=3 >.libs/test=5
`, ".libs/libx.so.1.0=3 .libs/libx.a=4 .libs/test=5", `
archive .libs/libx.a: a.c
shared .libs/libx.so.1.0: a.c[-fPIC -DPIC] twin .libs/libx.a
program .libs/test: test.c (.libs/libx.so.1.0)
`)
	if len(g.Units) != 2 {
		t.Errorf("%d units, want 2", len(g.Units))
	}
}

func TestFlagsThatMeanSomethingMakeAnotherUnit(t *testing.T) {
	check(t, `
cc -DA -Wall -c a.c -o 1.o >1.o=1
cc -DA -Wextra -O2 -c a.c -o 2.o >2.o=2
cc -DB -c a.c -o 3.o >3.o=3
cc 1.o 2.o 3.o -o prog <1.o=1 <2.o=2 <3.o=3 >prog=4
`, "prog=4", `
program prog: a.c a.c a.c#2
`)
}

func TestLibrariesAreFoundWhereTheLinkerLooks(t *testing.T) {
	check(t, `
cc -c a.c >a.o=1
ar cr lib/liba.a a.o <a.o=1 >lib/liba.a=2
cc -shared -o lib/libb.so a.o <a.o=1 >lib/libb.so=3
cc main.c -Lnone -Llib -la -lb -lz -o sub/prog >sub/prog=4
`, "lib/liba.a=2 lib/libb.so=3 sub/prog=4", `
archive lib/liba.a: a.c
shared lib/libb.so: a.c twin lib/liba.a
program sub/prog: main.c (lib/liba.a) (lib/libb.so) -lz
`)
}

func TestAssemblyAndPartialLinksLeadBackToTheirSources(t *testing.T) {
	g := check(t, `
gcc -S a.c -o a.s
gcc -c a.s -o a.o >a.o=1
gcc -c b.c >b.o=2
ld -r -o ab.o a.o b.o <a.o=1 <b.o=2 >ab.o=3
strip ab.o <ab.o=3 >ab.o=4
gcc -c hand.s >hand.o=5
gcc ab.o hand.o -o prog <ab.o=4 <hand.o=5 >prog=6
`, "prog=6", `
program prog: a.c b.c hand.s
`)
	for k, want := range []string{"/p/a.o", "/p/b.o", ""} {
		if got := g.Products[0].Inputs[k].Object; got != want {
			t.Errorf("input %d is in %q, want %q", k, got, want)
		}
	}
}

func TestAStrippedCopyIsStillTheProgram(t *testing.T) {
	check(t, `
cc a.c -o prog >prog=1
strip -o small prog <prog=1 >small=2 >prog=1
`, "prog=1 small=2 other/small=2", `
program prog: a.c
program small: a.c copies other/small twin prog
`)
}

func TestAProgramThatTheBuildRemovesIsGone(t *testing.T) {
	check(t, `
cc gen.c -o gen >gen=1
cc main.c -o prog >prog=2
cc broken.c -o never !
`, "prog=2 bin/prog=2", `
program gen: gen.c gone
program prog: main.c copies bin/prog
`)
}

func TestAFileThatAnUnknownToolChangedIsFoundByItsPlace(t *testing.T) {
	check(t, `
cc -c a.c >a.o=1
cc a.o -o prog <a.o=77 >prog=2
`, "prog=88", `
program prog: a.c
`)
}

func TestUnitsOfAProductFollowItsLibraries(t *testing.T) {
	g := check(t, `
cc -c a.c >a.o=1
cc -c b.c >b.o=2
ar cr liba.a a.o <a.o=1 >liba.a=3
cc -shared b.o liba.a -o libb.so <b.o=2 <liba.a=3 >libb.so=4
cc main.c libb.so liba.a -o prog <libb.so=4 <liba.a=3 >prog=5
`, "liba.a=3 libb.so=4 prog=5", `
archive liba.a: a.c
shared libb.so: b.c (liba.a)
program prog: main.c (libb.so) (liba.a)
`)
	for shared, want := range map[bool]string{false: "main.c a.c", true: "main.c b.c a.c"} {
		var got []string
		for _, u := range g.UnitsOf(g.Products[2], shared) {
			got = append(got, filepath.Base(u.Source))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with shared libraries %v: %v, want %s", shared, got, want)
		}
	}
}

func TestAnArchiveMadeAgainStartsEmpty(t *testing.T) {
	check(t, `
cc -c a.c >a.o=1
cc -c b.c >b.o=2
ar cr liba.a a.o <a.o=1 >liba.a=3
ar cr liba.a b.o <b.o=2 >liba.a=4
`, "liba.a=4", `
archive liba.a: b.c
`)
}
