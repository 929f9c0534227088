// Package toolcache keeps in the user's cache what a compiler says or makes each time that it
// is started with the same words: to start it takes a tenth of a second or more, as long as
// all else that is done for a small program.
//
// What is kept has a folder of its own. Its name is a hash of the tools' files (path, size
// and time of change), of the environment that compilers heed, and of all else that the one
// who asks says it depends on. Where there is no cache nothing is kept, and nothing fails.
package toolcache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// heeded are the variables by which clang and gcc find headers, libraries and other tools.
var heeded = []string{"CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"}

// Folder is where in the user's cache that is kept which depends on the files and the texts; it is
// there. "" where nothing can be kept.
func Folder(kind string, files []string, texts ...string) string {
	user, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	hash := sha256.New()
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil {
			return ""
		}
		fmt.Fprintf(hash, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	}
	for _, name := range heeded {
		fmt.Fprintf(hash, "%q\n", os.Getenv(name))
	}
	for _, text := range texts {
		fmt.Fprintf(hash, "%d %s\n", len(text), text)
	}
	folder := filepath.Join(user, "winnow", kind, hex.EncodeToString(hash.Sum(nil)[:16]))
	if os.MkdirAll(folder, 0o755) != nil {
		return ""
	}
	return folder
}
