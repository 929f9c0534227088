package coverage

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// llvmCov is clang's: it counts regions of the source, not code, so that a part of a
// condition has two sides, true and false, and a case one that is taken and one that is not.
var llvmCov = Tool{
	Name:     "llvm-cov",
	Doc:      "clang's: lines, functions, and the sides of branches of the source",
	Criteria: []string{criterion.Line, criterion.Branch, criterion.Function},
	Needs:    []string{"clang-" + clang.Version, "llvm-cov-" + clang.Version, "llvm-profdata-" + clang.Version, "ld"},
	Packages: []string{"clang-" + clang.Version, "llvm-" + clang.Version, "libclang-rt-" + clang.Version + "-dev", "binutils"},
	Instrument: func(programs []string) Instrument {
		return llvmAt{programs[0], programs[1], programs[2], programs[3]}
	},
}

type llvmAt struct{ clang, cov, profdata, ld string }

func (l llvmAt) Compile(ctx context.Context, u Unit, object string) error {
	argv := append([]string{l.clang}, clang.KeepFrontEnd(u.Flags)...)
	argv = append(argv, "-O0", "-g", "-w", "-fPIC")
	if u.Uncounted {
		_, err := run(ctx, u.Dir, append(argv, "-c", u.Source, "-o", object)...)
		return err
	}
	argv = append(argv, "-fprofile-instr-generate", "-fcoverage-mapping", "-c", u.Source, "-o", object+".part")
	if _, err := run(ctx, u.Dir, argv...); err != nil {
		return err
	}
	// Clang's driver has the linker look for the runtime. In an archive it would stay behind where no
	// object asks for it.
	_, err := run(ctx, "", l.ld, "-r", "-u", "__llvm_profile_runtime", "-o", object, object+".part")
	return errors.Join(err, clang.Whole(object))
}

func (l llvmAt) Runtime(ctx context.Context, object string) error {
	path, err := run(ctx, "", l.clang, "-print-file-name=libclang_rt.profile-"+arch()+".a")
	if err != nil {
		return err
	}
	_, err = run(ctx, "", l.ld, "-r", "-o", object, "--whole-archive", strings.TrimSpace(string(path)))
	return errors.Join(err, clang.Whole(object))
}

// Lost is what LLVM's runtime says where it cannot write its counts.
func (l llvmAt) Lost() string { return "LLVM Profile Error:" }

// Environment has all processes of a run add to one profile a product (%m).
func (l llvmAt) Environment(traces string) []string {
	return []string{"LLVM_PROFILE_FILE=" + filepath.Join(traces, "%m.profraw")}
}

// Read asks llvm-cov for the form of lcov.
func (l llvmAt) Read(ctx context.Context, objects []string, traces []command.Trace, folder string) ([]Element, error) {
	merge := []string{l.profdata, "merge", "-sparse", "-o", "all.profdata"}
	for k, f := range traces {
		name := fmt.Sprintf("%d.profraw", k)
		if err := os.WriteFile(filepath.Join(folder, name), f.Text, 0o644); err != nil {
			return nil, err
		}
		merge = append(merge, name)
	}
	if _, err := run(ctx, folder, merge...); err != nil {
		return nil, err
	}
	export := []string{l.cov, "export", "-format=lcov", "-instr-profile=all.profdata"}
	for k, object := range objects {
		if k > 0 {
			export = append(export, "-object")
		}
		export = append(export, object)
	}
	text, err := run(ctx, folder, export...)
	if err != nil {
		return nil, err
	}
	return fromLcov(text)
}

// fromLcov reads a tracefile of lcov (geninfo(1)).
func fromLcov(text []byte) ([]Element, error) {
	var out []Element
	file := ""
	lines, sides := map[string]int{}, map[int]int{} // of functions by name; of branches by line
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
		key, value, _ := strings.Cut(scan.Text(), ":")
		fields := strings.Split(value, ",")
		if key == "SF" {
			file = value
			clear(lines)
			clear(sides)
			continue
		}
		if key != "FN" && key != "FNDA" && key != "DA" && key != "BRDA" {
			continue
		}
		number, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) < 2 || key == "BRDA" && len(fields) < 4 {
			return nil, fmt.Errorf("reading what llvm-cov printed: %q", scan.Text())
		}
		switch key {
		case "FN":
			lines[fields[1]] = number
		case "FNDA":
			// A function that is not seen outside is called file.c:name.
			name := fields[1][strings.LastIndexByte(fields[1], ':')+1:]
			out = append(out, Element{criterion.Function, file, lines[fields[1]], name, number > 0})
		case "DA":
			out = append(out, Element{criterion.Line, file, number, "", fields[1] != "0"})
		case "BRDA":
			sides[number]++
			out = append(out, Element{criterion.Branch, file, number, fmt.Sprintf("branch %d", sides[number]), fields[3] != "0" && fields[3] != "-"})
		}
	}
	return out, nil
}
