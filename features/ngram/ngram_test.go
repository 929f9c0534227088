package ngram

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

func mean(m *Model, line string) float64 {
	bits, sum := m.Surprise(nil, Tokens(line)), 0.0
	for _, b := range bits {
		sum += b
	}
	return sum / float64(len(bits))
}

func TestIdiomsAreLessSurprisingThanWhatFewWrite(t *testing.T) {
	m := Corpus()
	for _, pair := range [][2]string{
		{"for (i = 0; i < n; i++) {", "for (i = 0; i ^ n; i++) {"},
		{"for (i = 0; i < n; i++) {", "for (i = 0; i < n; i % 1) {"},
		{"if (p == 0) return 1;", "if (p | 0) return 1;"},
		{"x = a[i];", "x = a % [i];"},
		{"s->next = p;", "s->next &= p;"},
		{"return 0;", "return 0 / 0;"},
	} {
		if usual, rare := mean(m, pair[0]), mean(m, pair[1]); !(usual < rare) {
			t.Errorf("%s has %.2f bits a token, %s %.2f", pair[0], usual, pair[1], rare)
		}
	}
	if a, b := mean(m, "total = price * (1 + rate);"), mean(m, "x = y*(1+z) /* the sum */; // of all"); a != b {
		t.Errorf("names, spaces and comments count: %v and %v", a, b)
	}
}

// TestProbabilitiesOfAContextSumToOne holds of every context, seen or not, with
// what was never seen as one token more.
func TestProbabilitiesOfAContextSumToOne(t *testing.T) {
	m := Corpus()
	n := uint32(len(m.symbols))
	for a := range n + 1 {
		for b := range n + 1 {
			sum := 0.0
			for c := range n + 1 {
				p := m.probability(a, b, c)
				if !(p > 0 && p < 1) {
					t.Fatalf("%d after %d, %d: %v", c, a, b, p)
				}
				sum += p
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("after %d, %d: %v", a, b, sum)
			}
		}
	}
}

// TestKneserNeyOfASmallCorpus is worked out by hand. Lines: "a+1", "a+1", "a-1" of
// the runs ..a (3), .a+ (2), .a- (1), a+1 (2), a-1 (1).
func TestKneserNeyOfASmallCorpus(t *testing.T) {
	var trainer Trainer
	trainer.Add("a+1\n#define x y z\na+1 /* x\n y */\na-1")
	m := trainer.Model()
	bits := m.Surprise(nil, Tokens("a+"))
	// Symbols: outside, name, 1, +, -; and what was never seen: 6 in all.
	// Different contexts before: name 1, + 1, - 1, 1 2; together 5, of 4 tokens.
	// Discounts: of those, n1 = 3 and n2 = 1, 3/5; of pairs, all of the five
	// (outside name, name +, name -, + 1, - 1) have one token before, 1; of runs,
	// n1 = 2 and n2 = 2, 1/3.
	plus := (1-3./5)/5 + 3./5*4/5/6
	plus = (1.-1)/2 + 1.*2/2*plus
	plus = (2-1./3)/3 + 1./3*2/3*plus
	if got := math.Exp2(-bits[1]); math.Abs(got-plus) > 1e-12 {
		t.Errorf("+ after a: %v, want %v", got, plus)
	}
}

func TestAModelSurvivesItsFile(t *testing.T) {
	if len(corpus) > 500_000 {
		t.Errorf("%d bytes", len(corpus))
	}
	m, err := Decode(corpus)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.Encode(), corpus) {
		t.Error("the model that ships is not what it encodes to")
	}
	for _, s := range m.symbols {
		if s.String() == "(unknown)" {
			t.Errorf("token %d", s)
		}
	}
	for cut := range len(corpus) {
		if cut > 600 && cut%97 > 0 {
			continue
		}
		if _, err := Decode(corpus[:cut]); err == nil {
			t.Errorf("a file cut at %d is read", cut)
		}
	}
	if _, err := Decode(append(slices.Clone(corpus), 0)); err == nil {
		t.Error("a file that goes on is read")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(corpus[:200])
	var small Trainer
	small.Add("a = b;")
	f.Add(small.Model().Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Decode(m.Encode())
		if err != nil || !bytes.Equal(again.Encode(), m.Encode()) {
			t.Errorf("%v", err)
		}
	})
}
