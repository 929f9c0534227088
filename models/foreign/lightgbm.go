package foreign

import (
	"bufio"
	"bytes"
	"fmt"

	"github.com/dmitryikh/leaves"

	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/tree"
)

// readLightGBM has our own reader read the text, which refuses what leaves is wrong
// about (linear trees, random forests, several classes), and leaves what was read,
// written anew.
func readLightGBM(text []byte) (*Model, error) {
	ensemble, err := lightgbm.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if ensemble.Objective != tree.Binary {
		return nil, fmt.Errorf("%w: it predicts no probability; train it with objective=binary", ErrUnsupported)
	}
	var again bytes.Buffer
	if err := lightgbm.Write(&again, ensemble); err != nil {
		return nil, err
	}
	scorer, err := leaves.LGEnsembleFromReader(bufio.NewReader(&again), true)
	if err != nil {
		return nil, fmt.Errorf("leaves: %w", err)
	}
	return &Model{Tool: "LightGBM", Columns: ensemble.Names(), Ensemble: ensemble, leaves: scorer, width: len(ensemble.Features)}, nil
}
