package inputs

// File is what a program finds under a name in the folder that it runs in.
type File struct {
	Name string
	Text []byte
}
