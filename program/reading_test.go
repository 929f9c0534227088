package program

import "testing"

func TestAByteThatIsNoUTF8KeepsThePlacesOfTheOthers(t *testing.T) {
	for in, want := range map[string]string{"caf\xe9;": "caf?;", "\xff\xfe": "??", "ä\xe9ö": "ä?ö", "plain": "plain"} {
		if got := asUTF8([]byte(in)); got != want || len(got) != len(in) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
