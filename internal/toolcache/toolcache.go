// Package toolcache keeps in the user's cache what a compiler says or makes each time that it
// is started with the same words on the same text: to start it takes a tenth of a second or
// more, as long as all else that is done for a small program, and to optimise the mutants of a
// file takes half of what ranking them does.
//
// What is kept is a file. Its name is a hash of the tools' files (path, size and time of change),
// of the environment that compilers heed, and of all else that the one who asks says it depends
// on; it is compressed, and has a sum by which one that is not whole is known. Where there is no
// cache nothing is kept, and nothing fails. There are a gigabyte of files at most: those that
// nobody has asked for longest go first.
package toolcache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// heeded are the variables by which clang and gcc find headers, libraries and other tools.
var heeded = []string{"CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"}

// Entry is the place of one answer. Nil has none: nothing can be kept.
type Entry struct{ path string }

// Of is the place of what depends on the files and the texts alone.
func Of(kind string, files []string, texts ...string) *Entry {
	user, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	hash := sha256.New()
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil {
			return nil
		}
		fmt.Fprintf(hash, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	}
	for _, name := range heeded {
		fmt.Fprintf(hash, "%q\n", os.Getenv(name))
	}
	for _, text := range texts {
		fmt.Fprintf(hash, "%d ", len(text))
		hash.Write([]byte(text))
	}
	folder := filepath.Join(user, "winnow", "tools")
	if os.MkdirAll(folder, 0o755) != nil {
		return nil
	}
	return &Entry{filepath.Join(folder, kind+"-"+hex.EncodeToString(hash.Sum(nil)[:16]))}
}

// Encoder and decoder of whole files may be used by many at once.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true)) // the options are right
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(1<<30)) // the options are right
		return d
	})
)

// Read is what was kept; false where nothing is, or not the whole of it.
func (e *Entry) Read() ([]byte, bool) {
	if e == nil {
		return nil, false
	}
	kept, err := os.ReadFile(e.path)
	if err != nil || len(kept) == 0 { // not even an empty answer has no bytes
		return nil, false
	}
	content, err := decoder().DecodeAll(kept, []byte{})
	if err != nil {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(e.path, now, now) // it may go a little early
	return content, true
}

// unfinished begins the names of files that are being written.
const unfinished = "unfinished-"

// Write keeps an answer. A cache that takes nothing costs whoever asks next what it has cost now.
func (e *Entry) Write(content []byte) {
	if e == nil {
		return
	}
	kept := encoder().EncodeAll(content, nil)
	folder := filepath.Dir(e.path)
	if !bounds.admit(folder, int64(len(kept))) {
		return
	}
	f, err := os.CreateTemp(folder, unfinished+"*")
	if err != nil {
		return
	}
	_, err = f.Write(kept)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), e.path) != nil {
		os.Remove(f.Name())
	}
}

// Remove forgets an answer.
func (e *Entry) Remove() {
	if e != nil {
		os.Remove(e.path)
	}
}

// bound keeps folders from growing beyond a number of bytes.
type bound struct {
	most int64
	mu   sync.Mutex
	// room is what may be written to a folder before it is looked at again.
	room map[string]int64
}

var bounds = bound{most: 1 << 30, room: map[string]int64{}}

// admit makes room for so many bytes; false where there is none.
func (b *bound) admit(folder string, size int64) bool {
	if size > b.most/16 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.room[folder] < size {
		// Others write, too: it is looked at again after an eighth at the latest.
		b.room[folder] = min(b.trim(folder), b.most/8)
	}
	if b.room[folder] < size {
		return false
	}
	b.room[folder] -= size
	return true
}

// stale is the age of a file that whoever was writing it has not finished: it was killed.
const stale = time.Hour

// trim removes what was asked for longest ago, until a quarter of the room is free where there
// was less than an eighth, and returns how much there is.
func (b *bound) trim(folder string) int64 {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return b.most
	}
	var files []fs.FileInfo
	free := b.most
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.HasPrefix(entry.Name(), unfinished) && time.Since(info.ModTime()) > stale {
			os.Remove(filepath.Join(folder, entry.Name()))
			continue
		}
		files = append(files, info)
		free -= info.Size()
	}
	if free >= b.most/8 {
		return free
	}
	slices.SortFunc(files, func(x, y fs.FileInfo) int { return x.ModTime().Compare(y.ModTime()) })
	for _, info := range files {
		if free >= b.most/4 {
			break
		}
		if os.Remove(filepath.Join(folder, info.Name())) == nil {
			free += info.Size()
		}
	}
	return free
}
