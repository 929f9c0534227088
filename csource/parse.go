package csource

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// SyntaxError says that a file is not C that the parser understands.
type SyntaxError struct {
	Path   string // the file that was to be parsed
	Detail string // what was wrong first, with its place
	More   int    // how many further complaints there were
}

func (e *SyntaxError) Error() string {
	s := "parsing C source " + e.Path + ": " + e.Detail
	if e.More > 0 {
		s += fmt.Sprintf(" (and %d more)", e.More)
	}
	return s + "; check the -I and -D flags given for it"
}

// Parse parses one C file as the compiler sees it. Of the compiler's flags it
// heeds -I, -iquote, -isystem, -D, -U, -include, -std= and -ansi and ignores
// the rest; relative directories are relative to the working directory.
//
// A file that is not valid C gives a *SyntaxError. A file that parses but
// whose types cannot be worked out is returned without types; File.Untyped
// says why.
func Parse(path string, flags []string) (*File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading C source: %w", err)
	}
	o := readFlags(flags)
	host, err := hostConfigOf(o.standard)
	if err != nil {
		return nil, fmt.Errorf("preparing to parse %s: %w", path, err)
	}
	main := newText(path, content)
	size := main.measure()
	if err := size.refuse(path); err != nil {
		return nil, err
	}
	u := &unit{texts: map[string]*text{path: main}, bySeq: map[int]int{}}
	p := &parse{host: host, options: o, unit: u, main: main, size: size}
	tree, untyped, err := p.run()
	if err != nil {
		return nil, err
	}
	return build(u, path, tree, untyped), nil
}

// parse is one run of the parser.
type parse struct {
	host    *hostConfig
	options options
	unit    *unit
	main    *text
	size    size
}

// run parses and resolves types, or only parses where types cannot be
// resolved; untyped then says why.
func (p *parse) run() (tree *cc.AST, untyped, err error) {
	if untyped = p.size.refuseTypes(); untyped == nil {
		tree, untyped = p.guarded(cc.Translate)
	}
	if untyped == nil {
		return tree, nil, nil
	}
	tree, err = p.guarded(cc.Parse)
	if err != nil {
		return nil, nil, err
	}
	return tree, untyped, nil
}

// guarded calls the parser and turns its panics, which some invalid programs
// cause, into errors.
func (p *parse) guarded(parser func(*cc.Config, []cc.Source) (*cc.AST, error)) (tree *cc.AST, err error) {
	defer func() {
		if r := recover(); r != nil {
			tree, err = nil, &SyntaxError{Path: p.main.path, Detail: fmt.Sprintf("the parser gave up: %v", r)}
		}
	}()
	tree, err = parser(p.config(), p.sources())
	if err != nil {
		return nil, p.syntaxError(err)
	}
	return tree, nil
}

func (p *parse) config() *cc.Config {
	o, h := p.options, p.host
	system := append(append([]string{}, o.include...), o.system...)
	system = append(system, h.system...)
	// The parser joins every name to a directory, absolute ones as well.
	system = append(system, string(filepath.Separator))
	system = once(system)
	quote := append(append([]string{""}, o.quote...), system...)
	seen := map[string]bool{}
	return &cc.Config{
		ABI:             h.abi,
		FS:              userFiles{p},
		IncludePaths:    quote,
		SysIncludePaths: system,
		ExpansionLimit:  maxExpansion,
		PragmaHandler: func(tokens []cc.Token) error {
			if len(tokens) == 0 || tokens[0].SrcStr() != "once" {
				return nil
			}
			file := tokens[0].Position().Filename
			if seen[file] {
				return cc.SkipSource
			}
			seen[file] = true
			return nil
		},
	}
}

// once leaves out folders that are named again, as compilers do: what comes after a folder, for
// #include_next, would else be the folder itself.
func once(folders []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(folders, func(folder string) bool {
		key := filepath.Clean(folder)
		again := seen[key]
		seen[key] = true
		return again
	})
}

func (p *parse) sources() []cc.Source {
	return []cc.Source{
		{Name: "<predefined>", Value: p.host.predefined},
		{Name: "<builtin>", Value: cc.Builtin},
		{Name: "<command-line>", Value: p.options.defines + p.options.prefix + "\n"},
		{Name: p.main.path, Value: p.main.forParser()},
	}
}

// inParser is the place in the parser's own source that it adds to messages.
var inParser = regexp.MustCompile(`\s*\([\w.]+\.go:\d+:[^)]*\)`)

func (p *parse) syntaxError(err error) error {
	lines := strings.Split(inParser.ReplaceAllString(err.Error(), ""), "\n")
	return &SyntaxError{Path: p.main.path, Detail: lines[0], More: len(lines) - 1}
}

// userFiles hands the parser the user's headers and remembers them; what lies
// in a system directory it leaves to the parser.
type userFiles struct{ parse *parse }

func (u userFiles) Open(path string) (fs.File, error) {
	p := u.parse
	for _, dir := range append(p.host.system, p.options.system...) {
		if strings.HasPrefix(path, filepath.ToSlash(dir)+"/") {
			return nil, fs.ErrNotExist
		}
	}
	f, err := os.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	t := p.unit.texts[path]
	if t == nil {
		content, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			return nil, err
		}
		t = newText(path, content)
		p.unit.texts[path] = t
	}
	return userFile{bytes.NewReader(t.forParser()), info}, nil
}

// userFile is an open header.
type userFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f userFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f userFile) Close() error               { return nil }
