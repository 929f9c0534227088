package clang

import (
	"regexp"
	"strings"
)

// A project says with which flags its files are compiled, and a project may be a
// stranger's. clang has flags that load a plugin, execute a program, or write a file, and
// gets more with each version: so what it is given is a list of what is known to change
// only what the source means. The rest is left out.

// KeepFrontEnd returns those of a compiler command's flags that change what the
// source means: include paths, macros, language standard, target and ABI, and the -f and
// -m options about language, arithmetic and layout. Outputs, optimisation, warnings,
// dependency files, linker flags, inputs, and whatever is not known are left out.
func KeepFrontEnd(flags []string) []string {
	var out []string
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case takesArgument[f]:
			if i+1 < len(flags) {
				out = append(out, f, flags[i+1])
			}
			i++
		case dropsArgument[f]:
			i++
		case strings.HasPrefix(f, "-std="), f == "-ansi", strings.HasPrefix(f, "--target="), strings.HasPrefix(f, "--sysroot="),
			f == "-pthread", f == "-trigraphs", f == "-nostdinc",
			len(f) > 2 && (strings.HasPrefix(f, "-I") || strings.HasPrefix(f, "-D") || strings.HasPrefix(f, "-U")),
			isLanguage(f), isMachine(f):
			out = append(out, f)
		}
	}
	return out
}

// isMachine: -m options name a processor, its extensions or an ABI, but for -mllvm, which
// is any option of LLVM's.
func isMachine(f string) bool { return machine.MatchString(f) && !strings.HasPrefix(f, "-mllvm") }

var machine = regexp.MustCompile(`^-m[a-z0-9][a-z0-9._-]*(=[A-Za-z0-9_.,+-]+)?$`)

// isLanguage: an -f option that is in the list, or its contrary.
func isLanguage(f string) bool {
	name, ok := strings.CutPrefix(f, "-f")
	if !ok {
		return false
	}
	name, value, hasValue := strings.Cut(name, "=")
	if hasValue {
		return languageValues[name] && !strings.ContainsAny(value, "/\\")
	}
	name = strings.TrimPrefix(name, "no-")
	return language[name] || strings.HasPrefix(name, "builtin-")
}

// set makes a set of words.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(words) {
		out[word] = true
	}
	return out
}

// language are the -f options without a value. They are about characters and types, about
// what of arithmetic and pointers is defined, about the C library, and about where
// variables and functions are.
var language = set(`
	signed-char unsigned-char signed-bitfields unsigned-bitfields short-enums short-wchar
	strict-aliasing strict-overflow strict-enums strict-return strict-float-cast-overflow wrapv wrapv-pointer trapv
	math-errno fast-math finite-math-only associative-math reciprocal-math signed-zeros trapping-math rounding-math
	honor-nans honor-infinities unsafe-math-optimizations cx-limited-range cx-fortran-rules
	common builtin freestanding hosted asm gnu-keywords gnu-inline-asm gnu89-inline ms-extensions ms-compatibility borland-extensions
	declspec blocks digraphs dollars-in-identifiers lax-vector-conversions merge-all-constants merge-constants
	delete-null-pointer-checks zero-initialized-in-bss keep-static-consts emulated-tls fixed-point
	exceptions unwind-tables asynchronous-unwind-tables omit-frame-pointer optimize-sibling-calls
	pic PIC pie PIE plt semantic-interposition function-sections data-sections jump-tables
	stack-protector stack-protector-all stack-protector-strong stack-clash-protection stack-check cf-protection
	inline inline-functions unroll-loops vectorize slp-vectorize`)

// languageValues are those with a value, which names no file.
var languageValues = set(`
	pack-struct max-type-align visibility tls-model exec-charset input-charset lax-vector-conversions wchar-type
	denormal-fp-math fp-model ffp-eval-method trivial-auto-var-init cf-protection ms-compatibility-version bracket-depth`)

// KeepLinker returns those of a command's flags that the linker needs:
// libraries, their paths and -pthread.
func KeepLinker(flags []string) []string {
	var out []string
	for i, f := range flags {
		switch {
		case (f == "-l" || f == "-L") && i+1 < len(flags):
			out = append(out, f, flags[i+1])
		case len(f) > 2 && (f[:2] == "-l" || f[:2] == "-L"), f == "-pthread":
			out = append(out, f)
		}
	}
	return out
}

var takesArgument = map[string]bool{
	"-I": true, "-D": true, "-U": true, "-include": true, "-isystem": true, "-iquote": true,
	"-idirafter": true, "-imacros": true, "-target": true, "-isysroot": true,
}

var dropsArgument = map[string]bool{
	"-o": true, "-MF": true, "-MT": true, "-MQ": true, "-x": true, "-arch": true, "-L": true, "-l": true,
	"-Xlinker": true, "-T": true, "-z": true, "-mllvm": true, "-Xclang": true, "-Xpreprocessor": true,
	"-Xassembler": true, "-Xanalyzer": true, "-Xopenmp-target": true, "-load": true, "-B": true, "-u": true, "-e": true,
	"--config": true, "-dumpdir": true, "-wrapper": true, "--param": true, "-specs": true, "-aux-info": true,
	"-serialize-diagnostics": true, "--serialize-diagnostics": true, "-working-directory": true, "-resource-dir": true,
}
