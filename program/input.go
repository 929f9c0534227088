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
}
