package execute

import (
	"reflect"
	"testing"
)

func TestFormatsOfScanfSayWhatIsWritten(t *testing.T) {
	number := func(bytes uint8, letter byte, before string) conversion {
		return conversion{bytes: bytes, letter: letter, behind: before}
	}
	text := func(letter byte) conversion { return conversion{text: true, letter: letter} }
	for format, want := range map[string][]conversion{
		"%d\x00":              {number(4, 'd', "")},
		"%d%lld %hhx,%hu\x00": {number(4, 'd', ""), number(8, 'd', ""), number(1, 'x', " "), number(2, 'u', ",")},
		"%*d %lf%f\x00":       {number(8, 'f', " 0  "), number(4, 'f', "")},
		" %c%20s\x00":         {number(1, 'c', " "), text('s')},
		"%5c\x00":             {text('c')},
		"%[^]x]%[]]%d":        {text('['), text('['), number(4, 'd', "")},
		"100%% %zu":           {number(8, 'u', "100% ")},
		"none\x00 %d":         nil,
	} {
		if got, ok := conversionsOf(format); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v, want %v", format, got, ok, want)
		}
	}
	for _, format := range []string{"%", "%l", "%n", "%Lf", "%ls", "%lc", "%ms", "%[", "%[^", "%[]", "%y", "%l[a]"} {
		if got, ok := conversionsOf(format); ok {
			t.Errorf("%q is understood: %v", format, got)
		}
	}
}

func FuzzFormatsOfScanf(f *testing.F) {
	for _, seed := range []string{"%d %s", "%[^]]", "%*5hhd%%", "%l"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, format string) {
		of, ok := conversionsOf(format)
		if len(of) > len(format)/2 {
			t.Errorf("%q has %d conversions", format, len(of))
		}
		if again, still := conversionsOf(format + "\x00%d"); ok && (!still || len(again) != len(of)) {
			t.Errorf("%q: what follows the end counts", format)
		}
	})
}
