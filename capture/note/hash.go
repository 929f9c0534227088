package note

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// code is how objects and programs, archives, and thin archives begin.
var code = [][]byte{[]byte("\x7fELF"), []byte("!<arch>"), []byte("!<thin>")}

// Hash returns the hash that File has for what an object, archive, library or
// program holds now, and whether the file is one.
func Hash(path string) (string, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	h, size := uint64(1469598103934665603), 0
	block := make([]byte, 1<<16)
	for {
		n, err := io.ReadFull(f, block)
		if size == 0 && !beginsAsCode(block[:n]) {
			return "", false
		}
		size += n
		clear(block[n:min(n+8, len(block))])
		for i := 0; i < n; i += 8 {
			h = (h ^ binary.NativeEndian.Uint64(block[i:])) * 0x9E3779B97F4A7C15
			h ^= h >> 32
		}
		if err != nil {
			return fmt.Sprintf("%016x-%x", h, size), true
		}
	}
}

func beginsAsCode(block []byte) bool {
	for _, start := range code {
		if len(block) > 7 && bytes.HasPrefix(block, start) {
			return true
		}
	}
	return false
}

// Scan hashes every object, archive, library and program below folders, by path.
func Scan(folders ...string) map[string]string {
	found := map[string]string{}
	for _, folder := range folders {
		// What cannot be read is no product that could be replaced.
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if hash, ok := Hash(path); ok {
					found[path] = hash
				}
			}
			return nil
		})
	}
	return found
}
