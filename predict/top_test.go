package predict

import (
	"errors"
	"math/big"
	"testing"
)

func TestTopReadsCountsAndPercentages(t *testing.T) {
	for _, c := range []struct {
		text    string
		n, want int
		printed string
	}{
		{"20", 100, 20, "20"}, {"20", 7, 7, "20"}, {" 3 ", 0, 0, "3"},
		{"5%", 100, 5, "5%"}, {"5%", 101, 6, "5%"}, {"5%", 1, 1, "5%"}, {"5 %", 0, 0, "5%"},
		{"7%", 100, 7, "7%"}, {"2.5%", 40, 1, "2.5%"}, {"2.50%", 41, 2, "2.5%"}, {".1%", 1000, 1, "0.1%"},
		{"100%", 13, 13, "100%"}, {"0.000001%", 13, 1, "0.000001%"},
	} {
		top, err := ParseTop(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := top.Of(c.n); got != c.want {
			t.Errorf("%q of %d = %d, want %d", c.text, c.n, got, c.want)
		}
		if got := top.String(); got != c.printed {
			t.Errorf("%q prints as %q, want %q", c.text, got, c.printed)
		}
	}
}

func TestTopRefusesWhatKeepsNothingOrMoreThanAll(t *testing.T) {
	for _, text := range []string{
		"", "%", "0", "-1", "0%", "0.0%", "-5%", "101%", "100.1%", "five", "5%%", "1e2", "1e2%", "1/2%", "0x10", "1_000",
		"5.5", "0.0000001%", ".%", "1.2.3%", "99999999999999999999", "NaN%", "Inf", "5% 5%",
	} {
		if top, err := ParseTop(text); !errors.Is(err, ErrTop) {
			t.Errorf("ParseTop(%q) = %v, %v; want an error", text, top, err)
		}
	}
}

func TestTheZeroTopKeepsAll(t *testing.T) {
	var top Top
	if top.Of(12) != 12 || top.String() != "100%" {
		t.Errorf("the zero Top keeps %d of 12 and prints %s", top.Of(12), top)
	}
	if Percent(5).String() != "5%" || Percent(0).String() != "1%" || Percent(500).String() != "100%" {
		t.Error("Percent is not limited to 1 to 100")
	}
}

func FuzzTopNeverKeepsNothingAndReadsWhatItPrints(f *testing.F) {
	for _, seed := range []string{"20", "5%", "2.5 %", "100%", "0", "1e9%", "९%", " 7\t%"} {
		f.Add(seed, 100)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		top, err := ParseTop(text)
		if err != nil {
			return
		}
		again, err := ParseTop(top.String())
		if err != nil || again != top {
			t.Fatalf("%q prints as %q, which reads as %v, %v", text, top, again, err)
		}
		kept := top.Of(n)
		if n > 0 && (kept < 1 || kept > n) || n <= 0 && kept != 0 {
			t.Fatalf("%q keeps %d of %d", text, kept, n)
		}
		if n > 0 && top.share > 0 {
			// The slow twin: exact rationals.
			exact := new(big.Rat).SetFrac64(top.share, wholeShare)
			exact.Mul(exact, new(big.Rat).SetInt64(int64(n)))
			want := new(big.Int).Add(exact.Num(), new(big.Int).Sub(exact.Denom(), big.NewInt(1)))
			want.Quo(want, exact.Denom())
			if want.Int64() != int64(kept) {
				t.Fatalf("%q of %d = %d, want %v", text, n, kept, want)
			}
		}
	})
}
