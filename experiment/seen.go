package experiment

import (
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
)

// sourcesOf are the sources of all subjects, as a card keeps them.
func sourcesOf(subjects []subject.Subject) []string {
	var out []string
	for i := range subjects {
		for _, hash := range subjects[i].Sources {
			out = append(out, hash[:min(models.SourceLength, len(hash))])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// refuseSeen fails when a model learned from a source of one of the subjects:
// what it says of that is memory, not prediction. A card that does not say what
// the model learned from gives a warning instead.
func refuseSeen(card *models.Card, subjects []subject.Subject) (warning string, err error) {
	if len(card.TrainedOn) == 0 {
		return fmt.Sprintf("the card of model %s does not say which sources it learned from: that it saw none of these cannot be checked", card.Name), nil
	}
	var seen []string
	for i := range subjects {
		known := slices.ContainsFunc(sourcesOf(subjects[i:i+1]), func(hash string) bool {
			_, found := slices.BinarySearch(card.TrainedOn, hash)
			return found
		})
		if known {
			seen = append(seen, subjects[i].Name())
		}
	}
	if len(seen) == 0 {
		return "", nil
	}
	return "", exit.Mark(exit.Input, ErrLearnedFrom, fmt.Errorf("model %s learned from %d of the history's %d faults, %s among them: figures on them would be memory, not prediction", card.Name, len(seen), len(subjects), seen[0]))
}
