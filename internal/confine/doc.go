// Package confine takes rights away: from this thread and from all that it starts.
//
// What winnow starts is not winnow's: programs with faults put into them, compilers
// that read a stranger's file. A right that is taken away before a program is executed
// is one that not even its first instruction has, and that no code of its own gives
// back. So nothing here is asked of the program that is confined.
//
// Landlock bounds which files are read and written; a Filter bounds system calls;
// Run has both done in a thread that is thrown away afterwards, for a tool that is
// started there; Start has it done but for files, for a tool whose calls bound these. Who imports this package hands no descriptor on that it was itself
// started with (inherited): what a shell has open is not for a mutant to write to.
package confine
