package inputs

// Given is what a program is given, as people and JSON have it.
type Given struct {
	// Input is the whole standard input, Args are the arguments, without the program's name, and Files
	// those that it finds in the folder that it runs in.
	Input string   `json:"input,omitempty"`
	Args  []string `json:"args,omitempty"`
	Files []File   `json:"files,omitempty"`
	// UnitTest is what a function is given that is called by itself: statements of C that call it and assert
	// what it does. They ask for assert.h, stdlib.h, string.h and the declarations of what they name.
	UnitTest string `json:"unit_test,omitempty"`
}

// File is what a program finds under a name in the folder that it runs in.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}
