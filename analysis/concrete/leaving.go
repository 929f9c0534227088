package concrete

// Leaving is what became of a change by the time that the function was left in which it
// first made a difference.
type Leaving struct {
	// Known is false where the original did not leave it in time, or where something was
	// called that paths do not know.
	Known bool
	// Trapped and Stays say that the change does not leave the function there: it traps, or
	// is still in it after twice the time, or ends the program, or only the original does.
	Trapped, Stays bool
	// Returned says that it returns another value; Cells counts the memory cells with
	// another value that outlive the function, the variables of its callers included, Locals
	// its own variables.
	Returned      bool
	Cells, Locals int
}

// WalkToExits is Walk of a program on a given input, which follows each change no further
// than to the end of the function in which it first makes a difference, and compares the
// states there: firm mutation (Woodward and Halewood, "From weak to strong, dead or
// alive?", 1988). What is printed is not looked at.
func (c *Code) WalkToExits(w *Walker, input *Given, changes *Changes, limit int, leaves func(change int, how Leaving)) {
	changes.watch()
	w.root, w.limit, w.changes = c, limit, changes
	w.leaves, w.invocation, w.original = leaves, 0, nil
	c.begin(&w.path, 0, 0, limit)
	w.path.walker, w.path.frame.watched = w, c.watched
	w.path.give(input)
	w.path.goOn()
	w.path.walker, w.leaves = nil, nil
	changes.unwatch()
}

// follows finds out what the original does to the end of the function of a frame, which is
// the same for all changes in one invocation; false where that is not known.
func (w *Walker) follows(f *frame) bool {
	whole := &w.whole
	if w.invocation != f.number {
		w.invocation = f.number
		whole.restore(&w.path)
		whole.limit, whole.leave = w.limit, w.path.depth
		whole.goOn()
	}
	return (whole.left || whole.Returned) && !whole.Guessed
}

// leaving compares a path that was followed with the original.
func (w *Walker) leaving(fork *Path) Leaving {
	whole, how := &w.whole, Leaving{Known: !fork.Guessed, Trapped: fork.Trapped}
	switch {
	case fork.Guessed || fork.Trapped:
	case fork.left != whole.left || fork.Returned != whole.Returned:
		how.Stays = true
	default:
		depth := w.path.depth
		how.Returned = fork.left && fork.frames[depth].returned != whole.frames[depth].returned || fork.Returned && fork.Value() != whole.Value()
		how.Cells, how.Locals = fork.differing(whole, depth)
	}
	return how
}
