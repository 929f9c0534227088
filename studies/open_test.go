package studies

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
)

func TestClassesOfFaultsAreReadInTheFormOfTheBenchmarksList(t *testing.T) {
	class, err := readClasses(strings.NewReader("71-A-bug-1-2\tDCCR\tWRONG_ANSWER\tDIFFOUT~~Loop\n\n4-A-bug-3-4 OILN\n"))
	if err != nil || class["71-A-bug-1-2"] != "DCCR" || class["4-A-bug-3-4"] != "OILN" || len(class) != 2 {
		t.Errorf("classes %v, error %v", class, err)
	}
	if _, err := readClasses(strings.NewReader("a b\nalone\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line without a class: %v", err)
	}
	subjects := []subject.Subject{{Program: "p"}}
	if err := addClasses(subjects, "/nonexistent"); err == nil {
		t.Error("a file that is not there was read")
	}
}
