package subject

// KillWays is in how many ways the tests kill the mutants: how many different sets of tests kill
// some mutant.
func (s *Subject) KillWays() int {
	ways := map[string]bool{}
	for _, kill := range s.Kills {
		if !kill.Empty() {
			ways[kill.Key()] = true
		}
	}
	return len(ways)
}

// Decided returns the positions of the mutants that some test comes to, and of which it is known
// which tests kill them.
func (s *Subject) Decided() []int {
	var out []int
	for m := range s.Kills {
		reached := s.Reached == nil || !s.Reached[m].Empty()
		if reached && (s.Unknown == nil || s.Unknown[m].Empty()) {
			out = append(out, m)
		}
	}
	return out
}

// Varied returns the subjects of which no fault is known and whose tests kill in so many ways at
// least, with their decided mutants only: those of which an order of mutants can be told from
// another by what the tests kill.
func Varied(subjects []Subject, ways int) []Subject {
	var out []Subject
	for i := range subjects {
		if !subjects[i].Faultless {
			continue
		}
		if s := subjects[i].at(subjects[i].Decided(), same); s.KillWays() >= ways {
			out = append(out, *s)
		}
	}
	return out
}
