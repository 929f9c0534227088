// Package grammar learns the form of a program's inputs from examples, and makes
// further inputs of that form. It runs nothing: whether an input is of use, e.g.
// whether the program reads beyond its arrays on it, is the caller's to find out.
//
// Infer reads the grammar off the inputs of one program. It holds what all of
// them have in common:
//
//   - lines, and blocks of lines that are repeated as often as a number says
//     that stands before them, or once less;
//   - in every line its words, and which numbers count the words of a line, the
//     letters of a word, or the items of a block: links;
//   - of every place the kind (integer, decimal, word), the range of numbers, the
//     length and the letters of words, or the few words that ever occur;
//   - relations between numbers (a never exceeds b, a differs from b), and lists
//     that are sorted or hold every number once.
//
// That is a set of likely invariants, as Daikon finds them in the values of a
// program (Ernst et al., Dynamically discovering likely program invariants, IEEE
// TSE 27(2), 2001): what no input contradicts is held to be meant. A chance
// relation costs variety, a missed one makes inputs that the program was not
// written for. Where numbers and lengths vary without a link, lengths stay.
//
// Grammar.Inputs changes an input with one to three mutators (Mutators): numbers,
// lengths with the numbers that count them, order, letters, parts of other inputs.
// What breaks the grammar is not handed out. The same inputs and the same seed
// give the same new inputs in the same order.
package grammar
