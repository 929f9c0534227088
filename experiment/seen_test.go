package experiment

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/models"
)

func TestAModelIsNotJudgedOnWhatItLearnedFrom(t *testing.T) {
	old := []subject.Subject{{Program: "a", Fault: "f", Sources: []string{strings.Repeat("a1", 32), strings.Repeat("b2", 32)}}}
	other := []subject.Subject{{Program: "c", Fault: "f", Sources: []string{strings.Repeat("c3", 32)}}}
	card := &models.Card{Name: "m", TrainedOn: sourcesOf(old)}
	if len(card.TrainedOn) != 2 || len(card.TrainedOn[0]) != models.SourceLength {
		t.Fatalf("sources %v", card.TrainedOn)
	}
	if warning, err := refuseSeen(card, other); warning != "" || err != nil {
		t.Errorf("other programs: %q, %v", warning, err)
	}
	renamed := []subject.Subject{other[0], {Program: "renamed", Fault: "g", Sources: old[0].Sources[1:]}}
	if _, err := refuseSeen(card, renamed); err == nil || !strings.Contains(err.Error(), "1 of the history's 2 faults, renamed/g") {
		t.Errorf("a source that it learned from, under another name: %v", err)
	}
	if warning, err := refuseSeen(&models.Card{Name: "old"}, old); err != nil || !strings.Contains(warning, "cannot be checked") {
		t.Errorf("a card without sources: %q, %v", warning, err)
	}
}
