package coverage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// gcc ends well when the system refuses it the notes that gcov reads, and leaves a part of them or
// takes them away. gcov then knows of less code than there is, or crashes.

// notesRecords is the GCC from which on the lengths of records are bytes (gcc/gcov-io.h).
const notesRecords = 12

// wholeNotes looks whether notes end where a record does. Of those of a GCC that lays them out
// otherwise it says nothing.
func wholeNotes(path string) error {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the notes for gcov: %w", err)
	}
	if !whole(text) {
		return exit.New(exit.System, fmt.Errorf("gcc has not written all of %s", path), "make room in the output folder, and in "+os.TempDir())
	}
	return nil
}

// whole is said of a magic number, GCC's version backwards, a stamp, a checksum, the folder with
// its length before it, a flag, and records: a tag, a length, and so many bytes.
func whole(notes []byte) bool {
	const header, word = 16, 4
	if len(notes) < header {
		return false
	}
	if major := 10*int(notes[7]-'A') + int(notes[6]-'0'); major < notesRecords {
		return true
	}
	at := header
	skip := func() bool { // a length, and so many bytes
		if at+word > len(notes) {
			return false
		}
		at += word + int(binary.LittleEndian.Uint32(notes[at:]))
		return at <= len(notes)
	}
	if !skip() || at+word > len(notes) {
		return false
	}
	at += word
	for at < len(notes) {
		if at += word; !skip() {
			return false
		}
	}
	return true
}
