package rule_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

func TestTheManualOfOperatorsIsWrittenFromTheCode(t *testing.T) {
	golden.Check(t, "../../docs/operators.md", []byte(rule.Manual()))
}
