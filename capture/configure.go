package capture

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

var configure = system{
	Name:  "configure",
	Doc:   "a script configure, as autoconf makes it or somebody wrote it, and make; in the tree",
	marks: []string{"configure"},
	tools: []string{"make"},
	configure: func(ctx context.Context, s *session) error {
		if err := s.refresh(ctx); err != nil {
			return err
		}
		return s.runConfigure(ctx)
	},
	build: buildWithMake,
	check: checkWithMake,
}

var autotools = system{
	Name:  "autotools",
	Doc:   "configure.ac without configure: autoreconf or the project's own script first",
	marks: append([]string{"configure.ac", "configure.in"}, generators...),
	tools: []string{"make", "autoreconf"},
	configure: func(ctx context.Context, s *session) error {
		if err := s.generate(ctx); err != nil {
			return err
		}
		return s.runConfigure(ctx)
	},
	build: buildWithMake,
	check: checkWithMake,
}

// generators are names that projects give to scripts that make configure.
var generators = []string{"autogen.sh", "bootstrap", "bootstrap.sh", "buildconf", "buildconf.sh"}

// generate makes configure.
func (s *session) generate(ctx context.Context) error {
	failed := errors.New("there is no configure.ac")
	if s.has("configure.ac") || s.has("configure.in") {
		failed = s.do(ctx, "configure", s.source, "autoreconf", "-fi")
	}
	if failed == nil || ctx.Err() != nil {
		return failed
	}
	for _, script := range generators {
		if !s.has(script) {
			continue
		}
		argv := []string{"sh", "./" + script}
		s.record("configure", s.source, argv)
		err := s.must(ctx, job{step: "configure", dir: s.source, argv: argv, env: []string{"NOCONFIGURE=1"}})
		if err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// refresh sees to it that the makefiles of automake do not generate configure and
// their own files again, with tools of other versions than the project's: where these
// are older than what they are made from, all are generated here, or, without
// autoconf, said to be new. Projects without automake are left as they are: some
// need an autoconf of their own.
func (s *session) refresh(ctx context.Context) error {
	sources, generated := s.autotoolsFiles()
	if !slices.ContainsFunc(sources, func(path string) bool { return filepath.Base(path) == "Makefile.am" }) || len(generated) == 0 || !newest(sources).After(oldest(generated)) {
		return nil
	}
	if _, err := exec.LookPath("autoreconf"); err == nil {
		err := s.do(ctx, "configure", s.source, "autoreconf", "-fi")
		if err == nil || ctx.Err() != nil {
			return err
		}
		if err := s.copyProject(); err != nil { // it may have changed some of the files, which do not suit the others then
			return err
		}
	}
	s.note("configure is older than what it is made from, and autoreconf cannot make it again; it was taken as it is.")
	// In the order in which one is made from the other; headers have names of their own.
	order := []string{"Makefile.in", "", "configure", "aclocal.m4"}
	slices.SortStableFunc(generated, func(a, b string) int {
		return cmp.Compare(place(order, b), place(order, a))
	})
	now := time.Now()
	for i, path := range generated {
		at := now.Add(time.Duration(i) * time.Millisecond)
		if err := os.Chtimes(path, at, at); err != nil {
			return err
		}
	}
	return nil
}

// place is where a file's name is in an order, or where the empty name is.
func place(order []string, path string) int {
	if i := slices.Index(order, filepath.Base(path)); i >= 0 {
		return i
	}
	return slices.Index(order, "")
}

// headersOf are the headers that configure writes, as configure.ac names them: each with
// the template that autoheader makes, where that has a name of its own.
var headersOf = regexp.MustCompile(`(?m)^[^#\n]*A[CM]_CONFIG_HEADERS?\(\[*([^\]),]+)`)

// templates are the files that autoheader has made.
func (s *session) templates() (out []string) {
	for _, name := range []string{"configure.ac", "configure.in"} {
		for _, m := range headersOf.FindAllStringSubmatch(readText(filepath.Join(s.source, name)), -1) {
			for header := range strings.FieldsSeq(m[1]) {
				header, template, _ := strings.Cut(header, ":")
				path := filepath.Join(s.source, cmp.Or(template, header+".in"))
				if exists(path) && !slices.Contains(out, path) {
					out = append(out, path)
				}
			}
		}
	}
	return out
}

// autotoolsFiles lists what autoconf and automake read and what they write.
func (s *session) autotoolsFiles() (sources, generated []string) {
	_ = filepath.WalkDir(s.source, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what cannot be read is not made again
		}
		switch d.Name() {
		case "configure.ac", "configure.in", "acinclude.m4":
			if filepath.Dir(path) == s.source {
				sources = append(sources, path)
			}
		case "Makefile.am":
			if exists(filepath.Join(filepath.Dir(path), "Makefile.in")) {
				sources = append(sources, path)
			}
		case "aclocal.m4", "configure":
			if filepath.Dir(path) == s.source {
				generated = append(generated, path)
			}
		case "Makefile.in":
			if exists(filepath.Join(filepath.Dir(path), "Makefile.am")) {
				generated = append(generated, path)
			}
		}
		return nil
	})
	return sources, append(generated, s.templates()...)
}

func newest(paths []string) time.Time {
	return slices.MaxFunc(modified(paths), time.Time.Compare)
}

func oldest(paths []string) time.Time {
	return slices.MinFunc(modified(paths), time.Time.Compare)
}

func modified(paths []string) []time.Time {
	out := []time.Time{}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			out = append(out, info.ModTime())
		}
	}
	if len(out) == 0 {
		out = append(out, time.Time{})
	}
	return out
}

// earlier is how config.log says with which arguments configure was called.
var earlier = regexp.MustCompile(`(?m)^  \$ \S*configure(.*)$`)

// runConfigure runs configure as the project's folder has been configured, if it
// was.
func (s *session) runConfigure(ctx context.Context) error {
	args := s.opts.Configure
	if text, err := os.ReadFile(filepath.Join(s.source, "config.log")); err == nil && len(args) == 0 {
		if m := earlier.FindStringSubmatch(string(text)); m != nil {
			if words, err := splitWords(m[1]); err == nil && len(words) > 0 {
				args = words
				s.note("It was configured as config.log says that the project was: %s.", strings.Join(words, " "))
			}
		}
	}
	argv := append([]string{"./configure"}, args...)
	if info, err := os.Stat(filepath.Join(s.source, "configure")); err == nil && info.Mode()&0o100 == 0 {
		argv = append([]string{"sh"}, argv...)
	}
	return s.do(ctx, "configure", s.source, argv...)
}
