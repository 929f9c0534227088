package command

import "strings"

// Archive is a command line of ar.
type Archive struct {
	// Path is the archive, "" where nothing is changed.
	Path string
	// Members are the files that are added or replaced; Gone are names of members
	// that are deleted.
	Members, Gone []string
	// Replaces says that a member takes the place of one of its name; else both stay.
	Replaces bool
}

// ParseArchive reads a command line of ar, its name first.
func ParseArchive(argv []string) Archive {
	var a Archive
	operation := ""
	var files []string
	for i := 1; i < len(argv); i++ {
		switch word := argv[i]; {
		case word == "--plugin" || word == "--target" || word == "--output":
			i++
		case strings.HasPrefix(word, "--"):
		case operation == "":
			operation = strings.TrimPrefix(word, "-")
			// A position (of a, b, i) or a count (of N) stands before the archive.
			if strings.ContainsAny(operation, "abiN") && i+1 < len(argv) {
				i++
			}
		case strings.HasPrefix(word, "-") && len(files) == 0:
			operation += word[1:]
		default:
			files = append(files, word)
		}
	}
	if len(files) == 0 {
		return a
	}
	switch {
	case strings.ContainsAny(operation, "rq"):
		a.Path, a.Members, a.Replaces = files[0], files[1:], strings.Contains(operation, "r")
	case strings.Contains(operation, "d"):
		a.Path, a.Gone = files[0], files[1:]
	}
	return a
}
