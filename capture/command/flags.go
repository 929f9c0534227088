package command

import (
	"slices"
	"strings"
)

// verdict is what becomes of a flag.
type verdict int

const (
	drop verdict = iota
	keep
	position
	refuse
)

// flagRule is a flag without its argument, or the beginning of some, followed by a
// star; the first that fits decides.
type flagRule struct {
	pattern string
	verdict verdict
}

func (r flagRule) fits(flag string) bool {
	if start, ok := strings.CutSuffix(r.pattern, "*"); ok {
		return strings.HasPrefix(flag, start)
	}
	return flag == r.pattern
}

// flagRules is the list that the package comment describes.
var flagRules = slices.Concat(
	rules(keep, "-std=*", "--std=*", "-ansi", "-trigraphs", "-traditional*", "-undef", "-nostdinc", "-nostdlibinc", "-nobuiltininc"),
	rules(keep, "-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix",
		"-iwithprefixbefore", "-isysroot", "-imultilib", "--sysroot", "--sysroot=*", "-Xpreprocessor"),
	rules(keep, "-target", "--target=*", "-arch", "-pthread", "-pthreads", "-posix"),
	rules(drop, "-Werror", "-Werror=*", "-Wno-error", "-Wno-error=*", "-Wfatal-errors"),
	rules(keep, "-W*", "-w", "-pedantic", "--pedantic", "-pedantic-errors"),
	rules(drop, "-mtune=*", "-mllvm", "-mprefer-vector-width=*", "-momit-leaf-frame-pointer", "-mno-omit-leaf-frame-pointer",
		"-mbranch-protection=*", "-mindirect-branch=*", "-mfunction-return=*", "-mharden-sls=*", "-mrecord-mcount", "-mfentry"),
	rules(keep, "-m16", "-m32", "-mx32", "-m64", "-march=*", "-mcpu=*", "-mabi=*", "-mfpu=*", "-mfloat-abi=*", "-msoft-float",
		"-mhard-float", "-mcmodel=*", "-mlong-double-*", "-mfpmath=*", "-mthumb", "-marm", "-mms-bitfields", "-mgeneral-regs-only",
		"-mred-zone", "-mno-red-zone", "-mstackrealign", "-mlittle-endian", "-mbig-endian"),
	rules(keep, "-mmmx", "-msse*", "-mssse3", "-mavx*", "-maes", "-mvaes", "-msha", "-mpclmul", "-mvpclmulqdq", "-mpopcnt", "-mabm",
		"-mbmi*", "-mlzcnt", "-mfma*", "-mf16c", "-mrdrnd", "-mrdseed", "-madx", "-mcx16", "-mmovbe", "-mcrc32", "-mgfni",
		"-mno-mmx", "-mno-sse*", "-mno-ssse3", "-mno-avx*", "-mno-aes", "-mno-popcnt", "-mno-bmi*", "-mno-fma*", "-mno-x87"),
	rules(position, "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE", "-fno-plt", "-fplt"),
	rules(refuse, "-fplugin*", "-fpass-plugin=*", "-specs", "-specs=*", "--specs=*", "-wrapper", "-B", "-Xclang", "-A",
		"-fnested-functions", "-fsplit-stack", "-fsingle-precision-constant", "-fopenacc", "-fgnu-tm", "-fcilkplus", "-mregparm=*",
		"-fno-asm", "-finstrument-functions*", "-ffixed-*", "-fcall-used-*", "-fcall-saved-*", "-fabi-version=*"),
	rules(keep, "-ffreestanding", "-fhosted", "-fbuiltin", "-fno-builtin*", "-fsigned-char", "-funsigned-char", "-fno-signed-char",
		"-fno-unsigned-char", "-fshort-enums", "-fno-short-enums", "-fshort-wchar", "-fpack-struct*", "-fcommon", "-fno-common",
		"-fms-extensions", "-fplan9-extensions", "-fgnu89-inline", "-fno-gnu89-inline", "-fgnu-keywords", "-fno-gnu-keywords",
		"-fdollars-in-identifiers", "-fno-dollars-in-identifiers", "-fexec-charset=*", "-finput-charset=*", "-fblocks", "-fopenmp*",
		"-fsigned-bitfields", "-fpcc-struct-return", "-freg-struct-return", "-flax-vector-conversions*", "-fno-lax-vector-conversions"),
	rules(keep, "-fwrapv", "-fno-wrapv", "-ftrapv", "-fstrict-overflow", "-fno-strict-overflow", "-fstrict-aliasing",
		"-fno-strict-aliasing", "-fdelete-null-pointer-checks", "-fno-delete-null-pointer-checks", "-fstrict-enums"),
	rules(keep, "-ffast-math", "-fno-fast-math", "-fmath-errno", "-fno-math-errno", "-ffinite-math-only", "-fno-finite-math-only",
		"-funsafe-math-optimizations", "-fno-unsafe-math-optimizations", "-fassociative-math", "-fno-associative-math",
		"-freciprocal-math", "-fno-reciprocal-math", "-fsigned-zeros", "-fno-signed-zeros", "-ftrapping-math", "-fno-trapping-math",
		"-frounding-math", "-fno-rounding-math", "-ffp-contract=*"),
	rules(keep, "-fvisibility=*", "-fsemantic-interposition", "-fno-semantic-interposition", "-fexceptions", "-fno-exceptions",
		"-ftls-model=*", "-femulated-tls", "-fmacro-prefix-map=*", "-ffile-prefix-map=*"),
)

func rules(v verdict, patterns ...string) []flagRule {
	out := make([]flagRule, len(patterns))
	for i, pattern := range patterns {
		out[i] = flagRule{pattern, v}
	}
	return out
}

// judge files a flag, with its argument as it was spelt, under what becomes of it.
func (c *Command) judge(flag, value string, words []string) {
	if list, ok := strings.CutPrefix(flag, "-Wp,"); ok {
		c.preprocessor(strings.Split(list, ","))
		return
	}
	if flag == "-D" && (value == "PIC" || strings.HasSuffix(value, "_EXPORTS")) { // what libtool and CMake add to -fPIC
		c.Position = append(c.Position, words...)
		return
	}
	switch verdictOf(flag) {
	case keep:
		c.Flags = append(c.Flags, words...)
	case position:
		c.Position = append(c.Position, words...)
	case refuse:
		c.Refused = append(c.Refused, strings.Join(words, " "))
	default:
		c.Dropped = append(c.Dropped, strings.Join(words, " "))
	}
}

func verdictOf(flag string) verdict {
	for _, r := range flagRules {
		if r.fits(flag) {
			return r.verdict
		}
	}
	return drop
}

// preprocessor files the flags of -Wp,...: they are those of the compiler, but for
// -MD and -MMD, which have an argument here.
func (c *Command) preprocessor(words []string) {
	for i := 0; i < len(words); i++ {
		flag, value, n := split(words[i:])
		if flag == "-MD" || flag == "-MMD" {
			n = 2
		}
		end := min(i+n, len(words))
		c.judge(flag, value, words[i:end])
		i = end - 1
	}
}

// Advisory says whether a flag that is kept only warns: units that differ in it
// alone are the same.
func Advisory(flag string) bool {
	return strings.HasPrefix(flag, "-W") || flag == "-w" || strings.HasPrefix(strings.TrimPrefix(flag, "-"), "-pedantic") ||
		strings.HasPrefix(flag, "-pedantic")
}
