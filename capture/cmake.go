package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/capture/ctest"
)

var cmake = system{
	Name:      "cmake",
	Doc:       "CMakeLists.txt: CMake, make, and CTest; out of the tree",
	marks:     []string{"CMakeLists.txt"},
	tools:     []string{"cmake", "ctest", "make"},
	outOfTree: true,
	configure: configureCMake,
	build:     buildWithMake,
	check:     checkCMake,
}

// testSwitch is an option in CMake's cache that has no tests built.
var testSwitch = regexp.MustCompile(`(?m)^(\w*TEST\w*):BOOL=(?:OFF|FALSE|NO|0)$`)

// notATestSwitch are names like it that mean other things.
var notATestSwitch = regexp.MustCompile(`(?i)FUZZ|VALGRIND|INSTALL|WITHOUT|DISABLE|NO_|SKIP|COVERAGE|BENCH|PERF|PYTHON|ONLY|SANIT`)

// configureCMake runs CMake, and again with the project's own switches for tests
// where these are off and no test is there. The generator is that for make, whose
// recipes can be noted.
func configureCMake(ctx context.Context, s *session) error {
	args := slices.Concat([]string{"cmake", "-S", s.source, "-B", s.into, "-G", "Unix Makefiles", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"}, s.opts.Configure)
	// A tree that was configured in place would be taken for the folder to build in.
	if err := errors.Join(os.RemoveAll(filepath.Join(s.source, "CMakeCache.txt")), os.RemoveAll(filepath.Join(s.source, "CMakeFiles"))); err != nil {
		return err
	}
	if err := s.do(ctx, "configure", s.source, args...); err != nil {
		return err
	}
	cache, err := os.ReadFile(filepath.Join(s.into, "CMakeCache.txt"))
	if err != nil {
		return fmt.Errorf("reading what CMake configured: %w", err)
	}
	var on []string
	for _, m := range testSwitch.FindAllStringSubmatch(string(cache), -1) {
		if !notATestSwitch.MatchString(m[1]) && !strings.HasPrefix(m[1], "CMAKE_") {
			on = append(on, "-D"+m[1]+"=ON")
		}
	}
	if len(on) == 0 || exists(filepath.Join(s.into, "CTestTestfile.cmake")) && s.listsTests(ctx) {
		return nil
	}
	again := s.do(ctx, "configure", s.source, append(args, on...)...)
	if again == nil {
		s.note("Tests were switched on: %s.", strings.Join(on, " "))
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.note("%s would switch tests on, but the project cannot be configured so: %s", strings.Join(on, " "), whyFailed(again))
	if err := os.RemoveAll(s.into); err != nil {
		return err
	}
	return s.do(ctx, "configure", s.source, args...)
}

func (s *session) listsTests(ctx context.Context) bool {
	text, status, err := s.output(ctx, job{step: "check", dir: s.into, argv: []string{"ctest", "--show-only=json-v1"}})
	if err != nil || status != 0 {
		return false
	}
	tests, err := ctest.Read([]byte(text))
	return err == nil && len(tests) > 0
}

// checkCMake takes CTest's tests; projects that have none may have a target.
func checkCMake(ctx context.Context, s *session) error {
	text, status, err := s.output(ctx, job{step: "check", dir: s.into, argv: []string{"ctest", "--show-only=json-v1"}})
	if err != nil {
		return err
	}
	s.record("check", s.into, []string{"ctest", "--show-only=json-v1"})
	var list []ctest.Test
	if status == 0 {
		if list, err = ctest.Read([]byte(text)); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		targets := slices.Clone(testTargets)
		if exists(filepath.Join(s.into, "CTestTestfile.cmake")) { // CMake's own runs CTest
			targets = slices.DeleteFunc(targets, func(target string) bool { return target == "test" })
		}
		return s.checkTargets(ctx, targets)
	}
	for i := range list {
		if t, ok := s.fromCTest(&list[i]); ok {
			s.tests = append(s.tests, t)
		}
	}
	return nil
}

// simpleProperties are those of CTest that fromCTest heeds, or that change nothing
// when one test is run after another. A test with any other is run through CTest.
var simpleProperties = []string{"WORKING_DIRECTORY", "ENVIRONMENT", "WILL_FAIL", "TIMEOUT", "LABELS", "COST", "PROCESSORS", "RUN_SERIAL",
	"SKIP_RETURN_CODE", "DEPENDS", "MEASUREMENT", "RESOURCE_LOCK", "ATTACHED_FILES", "ATTACHED_FILES_ON_FAIL", "_BACKTRACE_TRIPLES"}

func (s *session) fromCTest(t *ctest.Test) (Test, bool) {
	test := Test{Name: t.Name, From: "ctest", Dir: s.capture.relative(s.into), Argv: t.Command}
	plain := len(t.Command) > 0
	for _, p := range t.Properties {
		words, _ := p.Value.([]any)
		switch p.Name {
		case "DISABLED":
			if p.Value == true {
				s.note("Test %s of CTest is disabled.", t.Name)
				return Test{}, false
			}
		case "WORKING_DIRECTORY":
			if dir, ok := p.Value.(string); ok {
				test.Dir = s.capture.relative(inFolder(s.into, dir))
			}
		case "ENVIRONMENT":
			for _, word := range words {
				test.Env = append(test.Env, fmt.Sprint(word))
			}
		case "WILL_FAIL":
			test.Fails = p.Value == true
		case "SKIP_RETURN_CODE":
			if code, ok := p.Value.(float64); ok {
				test.Skip = int(code)
			}
		case "DEPENDS":
			for _, word := range words {
				test.After = append(test.After, fmt.Sprint(word))
			}
		case "TIMEOUT":
			if seconds, ok := p.Value.(float64); ok {
				test.Seconds = seconds
			}
		}
		plain = plain && slices.Contains(simpleProperties, p.Name)
	}
	if !plain {
		// CTest knows what the properties mean.
		test.Argv = []string{"ctest", "--output-on-failure", "-R", "^" + regexp.QuoteMeta(t.Name) + "$"}
		test.Dir, test.Env, test.Fails = s.capture.relative(s.into), nil, false
	}
	return s.finish(test), true
}

// jobs is make's or ninja's flag for how much at once.
func (s *session) jobs() string { return "-j" + strconv.Itoa(s.opts.Jobs) }
