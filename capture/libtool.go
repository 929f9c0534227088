package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A program that libtool links with a shared library of the same project is a shell script
// that sets LD_LIBRARY_PATH and starts the real one, .libs/NAME. It finds out each time
// again where it stands and which shell it is run by, for which it starts about twenty processes: ten
// times what a quick test takes itself. In the copy that tests run in, its answers are known.

// wrapperMark is in the first lines of such a script, and its name in what follows.
const wrapperMark = " - temporary wrapper script for .libs/"

// wraps reports whether text is such a script for a program.
func wraps(text, name string) bool { return strings.Contains(text, wrapperMark+name) }

// startOf is what starts a program that was linked at a path: the script of libtool, where it
// has one, for without it the program does not find its libraries.
func startOf(path string) string {
	if folder := filepath.Dir(path); filepath.Base(folder) == ".libs" {
		name := strings.TrimPrefix(filepath.Base(path), "lt-")
		script := filepath.Join(filepath.Dir(folder), name)
		if wraps(readText(script), name) {
			return script
		}
	}
	return path
}

// wrapperBytes is more than any has.
const wrapperBytes = 1 << 16

var (
	wrapped   = regexp.MustCompile(`(?m)^\s*program=(lt-)?'?([^'\n]+)'?$`)
	libraries = regexp.MustCompile(`(?m)^\s*LD_LIBRARY_PATH="(.*):\$LD_LIBRARY_PATH"$`)
)

// shortenWrappers lets the wrapper scripts of libtool in the work folder start their programs
// at once. What else they can do (libtool sources them to install and to debug) stays.
func (c *Capture) shortenWrappers() error {
	return filepath.WalkDir(c.Work, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("looking for libtool's scripts: %w", err)
		}
		if !d.IsDir() || d.Name() != ".libs" {
			return nil
		}
		programs, err := os.ReadDir(path)
		if err != nil {
			return fmt.Errorf("looking for libtool's scripts: %w", err)
		}
		for _, p := range programs {
			if err := shortenWrapper(filepath.Join(filepath.Dir(path), p.Name())); err != nil {
				return fmt.Errorf("shortening a script of libtool: %w", err)
			}
		}
		return fs.SkipDir
	})
}

// shortenWrapper does so with one file, if it is a wrapper.
func shortenWrapper(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > wrapperBytes) {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	short := shortened(text, path)
	if short == nil {
		return nil
	}
	if err := os.WriteFile(path, short, info.Mode().Perm()); err != nil {
		return err
	}
	// Make, and the script itself, go by times.
	return os.Chtimes(path, info.ModTime(), info.ModTime())
}

// shortened is the text of a wrapper that starts its program at once; nil of what is none,
// and of one whose program is not there.
func shortened(text []byte, path string) []byte {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.HasPrefix(first, []byte("#!")) || !wraps(string(text), filepath.Base(path)) {
		return nil
	}
	program := wrapped.FindSubmatch(text)
	if program == nil {
		return nil
	}
	target := filepath.Join(filepath.Dir(path), ".libs", string(program[1])+string(program[2]))
	if info, err := os.Stat(target); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return nil
	}
	begin := ""
	if found := libraries.FindSubmatch(text); found != nil {
		begin = fmt.Sprintf("LD_LIBRARY_PATH=\"%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"; export LD_LIBRARY_PATH; ", found[1])
	}
	magic := "%%%MAGIC variable%%%"
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", first)
	fmt.Fprintf(&out, "case \"$libtool_install_magic$libtool_execute_magic:$1\" in *'%s'*|*:--lt-*) ;;\n", magic)
	fmt.Fprintf(&out, "*) %sexec %s ${1+\"$@\"};; esac\n", begin, quoteWord(target))
	out.Write(rest)
	return []byte(out.String())
}
