package program

// Input is one file of a program and how to compile it.
type Input struct {
	Path string
	// Flags are the compiler's, for C sources.
	Flags []string
	// Directory is where the compiler runs; "" is the current one. Path is
	// absolute where there is a Directory.
	Directory string
	// Harness says that the file belongs to the program and is not mutated.
	Harness bool
	// Only says of which lines code is mutated, where that is not all: those of sources that are mutated elsewhere and
	// that a test takes in as text. Nil means all.
	Only func(file string, line int) bool
}

// mutates reports whether code of a line is mutated where this input has it.
func (in *Input) mutates(file string, line int) bool {
	return !in.Harness && (in.Only == nil || in.Only(file, line))
}
