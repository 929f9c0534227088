package rank

import (
	"context"

	"github.com/winnow-mutants/winnow/predict"
)

// Inputs are looked for of the first lookedFirst mutants of the order: what a tester may read, and some
// that stand behind these; of mostLooked in all, since others come first when none was found. To order many
// mutants takes its time: lookedAtOnce are looked for before the next order, those behind the first too, and
// the first mostSettled are ordered by themselves until their first were looked for.
const lookedFirst, mostLooked, lookedAtOnce, mostSettled = 40, 2000, 20, 5000

// looked orders the mutants at some places, by what is found when inputs are looked for that tell
// the first of them: an order whose first mutants were all looked for.
// Those that nothing calls come last.
func (r *ranking) looked(ctx context.Context, places []int) ([]int, error) {
	if r.opts.Uncalled == nil {
		return r.ofInputs(ctx, places)
	}
	r.uncalled = map[int]bool{}
	var called, others []int
	for _, place := range places {
		if (r.tests == nil || r.tests[place] == nil || r.tests[place].Reached == 0) && r.opts.Uncalled(r.scores[place].ID) {
			r.uncalled[place], others = true, append(others, place)
		} else {
			called = append(called, place)
		}
	}
	first, err := r.ofInputs(ctx, called)
	if err != nil || len(others) == 0 {
		return first, err
	}
	last, err := r.orderOf(others)
	return append(first, last...), err
}

// ofInputs is looked of mutants that the program may come to.
func (r *ranking) ofInputs(ctx context.Context, places []int) ([]int, error) {
	order, err := r.orderOf(places)
	if r.opts.Look == nil {
		return order, err
	}
	asked := &asked{places: map[int]bool{}, functions: map[[2]string]*callsOf{}}
	for err == nil {
		some := order[:min(len(order), mostSettled)]
		var more bool
		if more, err = r.look(ctx, order, asked); err != nil || !more {
			break
		}
		for more && err == nil {
			if some, err = r.orderOf(some); err == nil {
				more, err = r.look(ctx, some, asked)
			}
		}
		if err == nil {
			order, err = r.orderOf(places)
		}
	}
	return order, err
}

// asked is of which mutants inputs and calls were looked for, by their places, and of which functions calls.
type asked struct {
	places    map[int]bool
	looked    int // of these
	functions map[[2]string]*callsOf
}

// callsOf counts the mutants of a function of which calls were looked for, and those of which one was found.
type callsOf struct{ looked, found int }

// hopeless is after how many mutants without a call it is taken that no other of the function has one, and
// nobody looks: of a parser that is given its functions by address there may be thousands.
const hopeless = 8

// look looks for inputs of the first of an order that were not asked for, if there are any; false where
// there are none, or nothing is known of them.
func (r *ranking) look(ctx context.Context, order []int, asked *asked) (bool, error) {
	if r.opts.Fold {
		order, _ = r.fold(order)
	}
	var ids []string
	at := map[string]int{}
	for k, place := range order {
		if k >= lookedFirst && (len(ids) == 0 || len(ids) >= lookedAtOnce) || asked.looked == mostLooked {
			break
		}
		if id := r.scores[place].ID; !asked.places[place] {
			ids, asked.places[place], at[id] = append(ids, id), true, place
			asked.looked++
		}
	}
	if len(ids) == 0 {
		return false, nil
	}
	inputs, calls, err := r.opts.Look(ctx, ids)
	for id, found := range inputs {
		r.scores[at[id]].Looked = predict.NoInput
		if found {
			r.scores[at[id]].Looked = predict.InputFound
		}
	}
	for id, found := range calls {
		s := &r.scores[at[id]]
		of := asked.functions[[2]string{s.File, s.Function}]
		if of == nil {
			of = &callsOf{}
			asked.functions[[2]string{s.File, s.Function}] = of
		}
		of.looked++
		if s.Looked = predict.NoCall; found {
			s.Looked = predict.CallFound
			of.found++
		}
	}
	if len(calls) > 0 {
		r.giveUp(asked)
	}
	return len(inputs)+len(calls) > 0, err
}

// giveUp takes it that there is no call of the functions for which looking is hopeless.
func (r *ranking) giveUp(asked *asked) {
	for place := range r.scores {
		s := &r.scores[place]
		if of := asked.functions[[2]string{s.File, s.Function}]; of != nil && of.found == 0 && of.looked >= hopeless && !asked.places[place] {
			s.Looked, asked.places[place] = predict.NoCall, true
		}
	}
}
