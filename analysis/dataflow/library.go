package dataflow

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/ir"
)

// effect is what a call does to memory.
type effect struct {
	reads, writes bool
	// onlyArguments: no memory but what the arguments point to.
	onlyArguments bool
	// arguments has a letter an argument, the last standing for all that
	// follow: r reads, w writes, b does both to what it points to; k reads and
	// leaves the address where the program can use it again; - is memory that
	// programs do not look into (FILE). "" means that reads and writes hold for
	// every argument.
	arguments string
}

// keeps reports whether the k-th argument may be known somewhere after the
// call. A library function that returns an address may return a part of what
// it was given.
func (e effect) keeps(call *llir.InstCall, k int, used bool) bool {
	switch {
	case !e.onlyArguments:
		return e.reads || e.writes
	case e.arguments == "":
		return false
	}
	return e.arguments[min(k, len(e.arguments)-1)] == 'k' || used && types.IsPointer(call.Type())
}

func (e effect) argument(k int) access {
	if e.arguments == "" {
		return access{reads: e.reads, writes: e.writes}
	}
	switch e.arguments[min(k, len(e.arguments)-1)] {
	case 'r', 'k':
		return access{reads: true}
	case 'w':
		return access{writes: true}
	case 'b':
		return access{reads: true, writes: true}
	}
	return access{}
}

// effectOf returns the effect of a call. A function that the module defines is
// never taken for the library's.
func effectOf(call *llir.InstCall) effect {
	if ir.IsDebug(call) {
		return effect{onlyArguments: true}
	}
	f, ok := call.Callee.(*llir.Func)
	if ok && len(f.Blocks) == 0 {
		if arguments, ok := library[libraryName(f.Name())]; ok {
			e := effect{onlyArguments: true, arguments: arguments}
			e.reads, e.writes = strings.ContainsAny(arguments, "rbk"), strings.ContainsAny(arguments, "wb")
			return e
		}
		if strings.HasPrefix(f.Name(), "llvm.") {
			return effect{onlyArguments: true} // arithmetic and markers
		}
	}
	e := effect{reads: true, writes: true}
	switch attributes := attributesOf(call); {
	case attributes[enum.FuncAttrReadNone]:
		return effect{onlyArguments: true}
	case attributes[enum.FuncAttrReadOnly]:
		e.writes = false
	}
	return e
}

// libraryName maps the names under which the C library's headers and the
// compiler hide a function to that function.
func libraryName(name string) string {
	if rest, ok := strings.CutPrefix(name, "llvm."); ok {
		base, _, _ := strings.Cut(rest, ".")
		return base
	}
	name = strings.TrimPrefix(name, "__isoc99_")
	return strings.TrimPrefix(name, "__isoc23_")
}

// library lists C library functions that keep no address for themselves and
// touch no variable of the program but through their arguments (C11, chapter
// 7). Left out are those that keep one (strtok, setbuf) or call back (qsort,
// bsearch, atexit).
var library = map[string]string{
	// <string.h>, and the intrinsics that clang makes of some.
	"memcpy": "wr-", "memmove": "wr-", "memset": "w-", "memcmp": "r", "memchr": "r-",
	"strlen": "r", "strnlen": "r-", "strcmp": "r", "strncmp": "r", "strcasecmp": "r", "strncasecmp": "r", "strcoll": "r",
	"strcpy": "wr", "strncpy": "wr-", "strcat": "br", "strncat": "br-", "stpcpy": "wr",
	"strchr": "r-", "strrchr": "r-", "strstr": "r", "strspn": "r", "strcspn": "r", "strpbrk": "r",
	"strdup": "r", "strndup": "r-", "strerror": "-",
	// <stdio.h>
	"printf": "r", "puts": "r", "putchar": "-", "fprintf": "-r", "fputs": "r-", "fputc": "-", "putc": "-",
	"sprintf": "wr", "snprintf": "w-r", "perror": "r",
	"scanf": "rw", "fscanf": "-rw", "sscanf": "rrw", "getchar": "-", "getc": "-", "fgetc": "-", "ungetc": "-",
	"gets": "w", "fgets": "w--", "getline": "bb-", "fread": "w---", "fwrite": "r---",
	"fopen": "r", "freopen": "rr-", "fclose": "-", "fflush": "-", "feof": "-", "ferror": "-", "clearerr": "-",
	"fseek": "-", "ftell": "-", "rewind": "-", "remove": "r", "rename": "r", "fileno": "-",
	// <stdlib.h>
	"malloc": "-", "calloc": "-", "realloc": "b-", "free": "w",
	"atoi": "r", "atol": "r", "atoll": "r", "atof": "r",
	"strtol": "kw-", "strtoll": "kw-", "strtoul": "kw-", "strtoull": "kw-", "strtod": "kw", "strtof": "kw",
	"abs": "-", "labs": "-", "llabs": "-", "rand": "-", "srand": "-", "exit": "-", "abort": "-", "getenv": "r", "system": "r",
	// <ctype.h>; glibc's macros call functions that return tables.
	"isalpha": "-", "isdigit": "-", "isalnum": "-", "isspace": "-", "isupper": "-", "islower": "-", "ispunct": "-",
	"isprint": "-", "iscntrl": "-", "isgraph": "-", "isxdigit": "-", "isblank": "-", "toupper": "-", "tolower": "-",
	"__ctype_b_loc": "-", "__ctype_tolower_loc": "-", "__ctype_toupper_loc": "-",
	// <math.h>
	"sqrt": "-", "pow": "-", "floor": "-", "ceil": "-", "round": "-", "lround": "-", "llround": "-", "trunc": "-",
	"fabs": "-", "fmod": "-", "exp": "-", "log": "-", "log2": "-", "log10": "-", "sin": "-", "cos": "-", "tan": "-",
	"asin": "-", "acos": "-", "atan": "-", "atan2": "-", "sinh": "-", "cosh": "-", "tanh": "-", "cbrt": "-", "hypot": "-",
	"sqrtf": "-", "powf": "-", "floorf": "-", "ceilf": "-", "fabsf": "-", "fmin": "-", "fmax": "-",
	"modf": "-w", "frexp": "-w", "ldexp": "-",
	// <time.h>, <assert.h>, <errno.h>
	"time": "w", "clock": "-", "difftime": "-", "__assert_fail": "r", "__errno_location": "-",
	// Variable arguments.
	"va_start": "w", "va_end": "w", "va_copy": "wr",
}
