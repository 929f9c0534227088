package atomicfile

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// SyncAll has all that is in a folder outlive a power failure, whoever wrote it: for files that
// programs of others have written, or that are too many for each to be synchronised by itself.
// It is the whole file system that is.
func SyncAll(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("write to %s: %w", path, err)
	}
	defer folder.Close()
	if err := unix.Syncfs(int(folder.Fd())); err != nil {
		return fmt.Errorf("write to %s: %w", path, err)
	}
	return nil
}
