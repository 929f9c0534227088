// Package inputs makes up what programs are given, so that they can be run without
// tests. It knows nothing of how they are run: the interpreter (analysis) asks it when
// the program that it follows asks for something, and the importers ask inputs/grammar,
// which learns a form from the inputs that there are.
//
// A channel is where inputs come from: the standard input, or the state that a function
// is called in. A channel has forms: a number, a word, a line, an address. What the
// program calls chooses the form, and so the input is what the program can read: scanf's
// %d draws a number, fgets draws a line. Channels lists all there are, with the calls
// that ask for each; docs/inputs.md is written from it.
//
// How a form is filled in is the profile's (Profiles): a seed stands for one input, the
// remainder of the seed by their number chooses the profile. Corners have numbers that
// are all the same or all near zero; typical profiles have sizes, letters and, of what
// the program compares with something, the constants (Words), since what a program looks
// for is in its inputs. Every literal of a profile is a choice that a measurement can
// judge: beside it stands which inputs of Codeflaws have such numbers and letters, and
// how much of the programs' code is reached with it and not without it
// (docs/results/inputs.md, made by cmd/measureinputs).
//
// The same seed and the same words give the same input, whoever asks and however often.
// What is read one after the other comes from a Stream, which is a value: a copy of it
// goes on where the original was, so that a mutant which reads more or less than the
// original gets what comes next, as it would. What is asked for by name (a parameter, a
// cell of memory) is drawn from the seed and a key.
//
// # To add a channel or a form
//
// Arguments and calls of an interface are not drawn: what is given of arguments is made by
// inputs/variation, from few words and from those of the program. A file is read as the standard
// input is. Each would be one more file here and one more line in Channels.
//
//   - Arguments: a channel whose forms main's parameters ask for. Write arguments.go with
//     a Channel and a Reading whose text is one argument; open a Stream for it with a seed
//     mixed with the channel's name, so that it does not repeat the standard input; have
//     the interpreter read it when main begins.
//   - Calls of an interface: a channel whose forms are Values, drawn for each parameter of
//     each call; which function is called next is a form, too.
//
// A form that fills in what the others cannot (a date, a path, a record with a length in
// front) is a Reading or a Value in the channel's file, chosen by its Calls. It needs
// bounds that its Doc says and its test checks, and a measurement beside its literals.
package inputs

// Channel is where inputs come from.
type Channel struct {
	Name, Doc string
	Forms     []Form
}

// Form is a kind of input.
type Form struct {
	// Doc says what it is, with its bounds.
	Name, Doc string
	// Asks is what a program does to be given it.
	Asks string
	// Calls are the functions of the C library that ask for it, Conversions the letters
	// by which the scanf family does.
	Calls       []string
	Conversions string
}

// Channels are all there are.
func Channels() []Channel {
	return []Channel{standardInput(), state()}
}
