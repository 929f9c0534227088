package subject

import "github.com/winnow-mutants/winnow/dataset"

// Values returns the label of each of the subject's mutants.
func Values(s *Subject, label dataset.Label) []dataset.Value { return label.Run(s.evidence()) }
