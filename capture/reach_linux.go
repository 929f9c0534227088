package capture

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// watches says that this system can be asked which files are opened.
const watches = true

// watchOpens watches files, given with what each stands for, and returns a function
// that ends the watch and says for which of them a file was opened. Opening includes
// executing, and the loader's mapping of a library. All is false where not all can be watched.
func watchOpens(paths map[string]string) (opened func() []string, all bool) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return func() []string { return nil }, false // named products have to do
	}
	all = true
	watched := map[int32]string{}
	for path, stands := range paths {
		// Once is enough, and keeps the queue short.
		wd, err := unix.InotifyAddWatch(fd, path, unix.IN_OPEN|unix.IN_ONESHOT)
		if err != nil {
			all = false
			continue
		}
		watched[int32(wd)] = stands
	}
	return func() []string {
		defer unix.Close(fd)
		var out []string
		block := make([]byte, 1<<16)
		for {
			n, err := unix.Read(fd, block)
			if err != nil || n <= 0 {
				return out
			}
			for at := 0; at+unix.SizeofInotifyEvent <= n; {
				wd := int32(binary.NativeEndian.Uint32(block[at:]))
				mask := binary.NativeEndian.Uint32(block[at+4:])
				if mask&unix.IN_OPEN != 0 {
					out = append(out, watched[wd])
				}
				at += unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(block[at+12:]))
			}
		}
	}, all
}
