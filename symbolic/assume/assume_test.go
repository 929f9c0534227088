package assume_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/symbolic/assume"
)

func text(n *assume.Node) string {
	switch {
	case n.Op == "" && n.Name != "":
		return n.Name
	case n.Op == "":
		return fmt.Sprint(n.Number)
	case len(n.Args) == 1:
		return "(" + n.Op + text(n.Args[0]) + ")"
	}
	return "(" + text(n.Args[0]) + " " + n.Op + " " + text(n.Args[1]) + ")"
}

func TestConditionsAreReadAsInC(t *testing.T) {
	got, err := assume.Parse([]byte("# a comment\n\nf: a+b*2<=c && !d||x == -1\nsub/g.c:12: (p|q) & 'a' >> 0x1 != 3u\nf: -a [ ] < list[]\n"))
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	for k, want := range []string{"((((a + (b * 2)) <= c) && (!d)) || (x == (-1)))", "((p | q) & ((97 >> 1) != 3))", "((-a[]) < list[])"} {
		if is := text(got[k].Condition); is != want {
			t.Errorf("%s is read as %s, want %s", got[k].Text, is, want)
		}
	}
	if got[0].Function != "f" || got[1].Line != 12 || !got[1].At("/home/sub/g.c", 12) || got[1].At("/home/other.c", 12) || got[1].At("/home/sub/g.c", 13) {
		t.Errorf("the places are %+v", got)
	}
}

func TestWhatIsNoConditionIsRefused(t *testing.T) {
	for line, want := range map[string]string{
		"count >= 0": "neither", "f: count >=": "missing at its end", "f: (count > 0": ") is missing", "f: a[0] > 1": `"["`, "f: a[ > 1": `"["`, "f: a[][] > 1": `"["`, "f: 1[] > 1": `"["`, "f: a = 1": `"="`,
		"f: 99999999999999999999 > a": "no integer", "f: " + strings.Repeat("(", 1000): "too deeply",
	} {
		if _, err := assume.Parse([]byte(line)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%.40s: %v, want %s", line, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("f: a + 1 < b && !c\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := assume.Parse(text)
		for _, one := range got {
			if err == nil && one.Condition == nil {
				t.Fatalf("%q has no condition", one.Text)
			}
		}
	})
}
