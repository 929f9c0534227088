package rule_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

func preset(t *testing.T, name string) *rule.Set {
	t.Helper()
	s, err := rule.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTheRulesOfMartAreCounted holds the sets to the counts of Mart's own
// files, by matcher.
func TestTheRulesOfMartAreCounted(t *testing.T) {
	want := map[string]int{"NEG": 5, "BITNOT": 5, "AND": 5, "OR": 5, "PADD": 9, "PSUB": 9,
		"P": 4, "C": 3, "CALL": 3, "@": 1, "A": 1, "STMT": 2, "RETURN_BREAK_CONTINUE": 2, "SWITCH": 2}
	for count, matchers := range map[int]string{
		36: "ADD MUL BITAND BITOR BITXOR EQ NEQ", 35: "SUB DIV MOD BITSHL BITSHR LT LE GT GE ASSIGN",
		9: "PEQ PNEQ PLT PLE PGT PGE", 6: "PLEFTINC PLEFTDEC PRIGHTINC PRIGHTDEC PLEFTINC_DEREF PLEFTDEC_DEREF PRIGHTINC_DEREF " +
			"PRIGHTDEC_DEREF PDEREF_LEFTINC PDEREF_LEFTDEC PDEREF_RIGHTINC PDEREF_RIGHTDEC",
		8: "PADD_DEREF PSUB_DEREF PDEREF_ADD PDEREF_SUB",
	} {
		for m := range strings.FieldsSeq(matchers) {
			want[m] = count
		}
	}
	got, patterns := map[string]int{}, map[string]bool{}
	replacers := map[string]bool{}
	for _, r := range preset(t, "mart816").Rules {
		got[r.Match.Fragment]++
		patterns[r.Match.String()] = true
		replacers[r.Replace.Fragment] = true
	}
	total := 0
	for m, n := range want {
		if got[m] != n {
			t.Errorf("%d rules match %s, Mart has %d", got[m], m, n)
		}
		total += got[m]
	}
	if len(got) != 53 || len(replacers) != 54 || len(patterns) != 91 || total != 816 {
		t.Errorf("%d matchers, %d replacers, %d patterns, %d rules; Mart has 53, 54, 91, 816", len(got), len(replacers), len(patterns), total)
	}
	if n := len(preset(t, "mart858").Rules); n != 858 {
		t.Errorf("mart858 has %d rules", n)
	}
}

func TestTheDefaultHasMartsRulesRepairedAndMore(t *testing.T) {
	names := map[string]bool{}
	steps := 0
	own := 0
	for _, r := range preset(t, "default").Rules {
		names[r.Name] = true
		switch {
		case r.Match.Fragment == "NOT" || r.Match.Fragment == "COND" || r.Replace.Fragment == "SUCC" || r.Replace.Fragment == "PRED",
			r.Match.Fragment == "V" && r.Replace.Fragment == "NEG", r.Match.Fragment == "C" && r.Replace.Fragment == "NEG",
			r.Replace.Fragment == "CONSTVAL" && r.Name != "C!CONSTVAL$0$" && r.Name != "A!CONSTVAL$0$":
			own++
		case strings.Contains(" LEFTINC LEFTDEC RIGHTINC RIGHTDEC V ", " "+r.Match.Fragment+" "),
			strings.Contains(" LEFTINC LEFTDEC RIGHTINC RIGHTDEC ", " "+r.Replace.Fragment+" "):
			steps++
		}
	}
	// c + 1 and c - 1 have names of their own.
	called := map[string]string{"C!ADD$C$1$": "C!SUCC$C$", "C!ADD$C$-1$": "C!PRED$C$"}
	if steps != 184 || len(names)-own+len(called) != 1000 {
		t.Errorf("%d rules with scalar ++ and --, %d as Mart's generator would make; want 184 and 1000", steps, len(names)-own+len(called))
	}
	for _, r := range preset(t, "mart816").Rules {
		if !names[r.Name] && !names[called[r.Name]] {
			t.Errorf("%s is missing", r.Name)
		}
	}
}

func TestThePresetsHaveTheSizeOfTheirDescription(t *testing.T) {
	for name, want := range map[string]int{"riener": 73, "sdl": 2, "ABS": 2, "AOR": 20, "LCR": 2, "ROR": 60, "UOI": 8,
		"CRCR": 6, "OAAA": 20, "OBBN": 2, "OCNG": 14, "SSDL": 2, "e-selective": 2 + 20 + 2 + 60 + 8} {
		if n := len(preset(t, name).Rules); n != want {
			t.Errorf("%s has %d rules, want %d", name, n, want)
		}
	}
}

func TestEveryPresetReadsBackAsItPrints(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range rule.Presets() {
		s := p.Set()
		if s.Name == "" || seen[strings.ToUpper(s.Name)] && s.Name != "SSDL" || len(s.Doc) < 20 || len(s.Rules) == 0 {
			t.Errorf("preset %q: no name or documentation of its own", s.Name)
		}
		seen[strings.ToUpper(s.Name)] = true
		again, err := rule.Parse(s.Name, []byte(s.String()))
		if err != nil {
			t.Fatal(err)
		}
		if again.String() != s.String() || len(again.Rules) != len(s.Rules) {
			t.Errorf("%s is read back as another set", s.Name)
		}
		for _, r := range s.Rules {
			if r.Name != r.MartName() {
				t.Errorf("%s: a rule is called %s", s.Name, r.Name)
			}
		}
	}
}

func TestTheLanguageHasExactlyTheFragmentsOfTheLists(t *testing.T) {
	var matchers, replacers []string
	mart := 0
	for _, f := range rule.Fragments() {
		if f.Matches && f.Type == "" {
			matchers = append(matchers, f.Name)
		}
		if f.Replaces && f.Type == "" {
			replacers = append(replacers, f.Name)
		}
		if f.Family == "" || !strings.Contains(f.Doc, "`") && f.Name != "DELSTMT" {
			t.Errorf("%s has no family or example", f.Name)
		}
		if !strings.Contains(f.Doc, "not one of Mart's") {
			mart++
		}
	}
	sorted := func(s []string) []string { return slices.Sorted(slices.Values(s)) }
	if !slices.Equal(sorted(matchers), sorted(mutant.Matchers())) || !slices.Equal(sorted(replacers), sorted(mutant.Replacers())) {
		t.Error("the fragments differ from mutant.Matchers and mutant.Replacers")
	}
	for _, p := range rule.Presets() {
		s := p.Set()
		for _, r := range s.Rules {
			if !slices.Contains(matchers, r.Matcher()) || !slices.Contains(replacers, r.Replacer()) {
				t.Errorf("%s: mutants have the type %s!%s", r.Name, r.Matcher(), r.Replacer())
			}
		}
	}
	if mart != 67 {
		t.Errorf("%d fragments are Mart's, which has 67", mart)
	}
}

func TestAFileIsReadAsMartReadsIt(t *testing.T) {
	s, err := rule.Parse("ops.mconf", []byte(`## A comment; ADD(@1, @2) --> x, SUB(@1, @2);
add( @1 ,V2 )-->M1,sub(V2,@1);M2 , Operand(@1) ; M3, TRAPSTMT # the end; is missing
  
C --> up, ADD(C, 1); zero, CONSTVAL(0); odd, MUL(3, c);
CALL --> same, NEWCALLEE(strcpy, strcat);
BITNOT(V1, @2) --> leftover, CONSTVAL(1);
`))
	if err != nil {
		t.Fatal(err)
	}
	want := `# ops.mconf: 8 rules
ADD(@1, V2) --> M1, SUB(V2, @1); M2, OPERAND(@1); M3, TRAPSTMT;
C --> up, ADD(C, 1); zero, CONSTVAL(0); odd, MUL(3, C);
CALL --> same, NEWCALLEE(strcpy, strcat);
BITNOT(V1, @2) --> leftover, CONSTVAL(1);
`
	if got := s.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.Rules[7].Match.CanMatch() || !s.Rules[6].Match.CanMatch() {
		t.Error("a pattern with an operand too many can match, or another cannot")
	}
	if s.Rules[0].Family() != "arithmetic" || s.Rules[2].Family() != "statement" || s.Rules[3].Family() != "literal" {
		t.Error("wrong families")
	}
}

func TestAMistakeIsShownWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"ADD(@1, @2) -> x, SUB(@1, @2);":              `f:1:13: expected "-->", found "->"`,
		"\nADD(@1) --> x, SUB(@1, @2);":               `f:2:7: expected "," and the rest of the 2 operands of ADD, found ")"`,
		"ADD(@1, @2) --> x, SUB(@1, @3);":             `f:1:28: @3 is not an operand of ADD(@1, @2)`,
		"ADD(@1, @2) --> x, PLUS(@1, @2);":            `f:1:20: there is no fragment PLUS`,
		"ADD(@1, @2) --> x SUB(@1, @2);":              `f:1:19: expected ",", found "SUB"`,
		"ADD(@1, @2) --> x, SUB(@1, @2) y, NEG(@1)":   `f:1:32: expected ";" or the end of the line, found "y"`,
		"ADD(@1, @2) -->":                             `f:1:16: expected the name of a rule, found the end of the line`,
		"ADD(@1, @2) --> x, ASSIGN(@1, @2);":          `f:1:27: operand 1 of ASSIGN cannot be @1: it takes a variable (V)`,
		"ADD(P1, @2) --> x, OPERAND(P1);":             `f:1:5: operand 1 of ADD cannot be P1: it takes an expression (@, C or V)`,
		"ADD(@1, @1) --> x, OPERAND(@1);":             `f:1:9: two operands have the number 1`,
		"OPERAND(@1) --> x, NEG(@1);":                 `f:1:1: OPERAND can only replace, not be matched`,
		"ADD(@1, @2) --> x, STMT;":                    `f:1:20: STMT can only be matched, not replace`,
		"ADD(@1, @2) --> x, AND(@1, @2);":             `f:1:20: AND replaces only AND and OR, not ADD`,
		"STMT --> x, CONSTVAL(0);":                    `f:1:13: STMT cannot be replaced by CONSTVAL: it has no operands to make a value of`,
		"ADD(@1, @2) --> x, CONSTVAL(@1);":            `f:1:29: expected a number as operand 1 of CONSTVAL, found "@1"`,
		"CALL --> x, SHUFFLEARGS(3);":                 `f:1:25: SHUFFLEARGS takes the number 2, not 3`,
		"PLEFTINC(P1) --> x, PRIGHTINC(4);":           `f:1:31: operand 1 of PRIGHTINC cannot be a number: it takes a pointer variable (P)`,
		"PADD(A1, @2) --> x, PLEFTINC(A1); # not a P": `f:1:30: operand 1 of PLEFTINC cannot be A1: it takes a pointer variable (P)`,
	} {
		_, err := rule.Parse("f", []byte(text))
		var syntax *rule.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestLookupJoinsPresetsAndNamesWhatItDoesNotKnow(t *testing.T) {
	if s := preset(t, "AOR, ror,AOR,e-selective"); len(s.Rules) != 92 || s.Name != "AOR,ROR,e-selective" {
		t.Errorf("%s: %d rules", s.Name, len(s.Rules))
	}
	if preset(t, "ABS,mart816").Mart == false || preset(t, "AOR").Mart {
		t.Error("a joined set forgets that it is for comparison with Mart")
	}
	if rule.Default().Name != "default" {
		t.Error("the first preset is not the default")
	}
	if _, err := rule.Lookup("AOR,XYZ"); err == nil || !strings.Contains(err.Error(), `"XYZ"`) {
		t.Errorf("unknown: %v", err)
	}
	if _, err := rule.Lookup("./missing.mconf"); err == nil {
		t.Error("a file that is not there is found")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("ADD(@1, V2) --> a, SUB(V2, @1); b, DELSTMT\n# c\nC --> x, ADD(C, -1.5e3);")
	f.Add("PEQ(A1, @2) --> n, PNEQ(A1, @2); CALL --> x, NEWCALLEE(f, g)")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := rule.Parse("f", []byte(text))
		if err != nil {
			return
		}
		again, err := rule.Parse("f", []byte(s.String()))
		if err != nil || again.String() != s.String() {
			t.Errorf("%q is printed as %q, which is read as %v, %v", text, s, again, err)
		}
	})
}
