package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var meson = system{
	Name:      "meson",
	Doc:       "meson.build: Meson and ninja; out of the tree",
	marks:     []string{"meson.build"},
	tools:     []string{"meson", "ninja"},
	outOfTree: true,
	configure: configureMeson,
	build: func(ctx context.Context, s *session) error {
		return s.do(ctx, "build", s.into, "ninja", s.jobs())
	},
	check: checkMeson,
}

// mesonTestOption are names of options that have tests built.
var mesonTestOption = regexp.MustCompile(`(?i)^(build[-_]?|enable[-_]?|with[-_]?)?(unit[-_]?)?tests?$`)

func configureMeson(ctx context.Context, s *session) error {
	args := slices.Concat([]string{"meson", "setup", s.into, s.source}, s.opts.Configure)
	if err := s.do(ctx, "configure", s.source, args...); err != nil {
		return err
	}
	text, err := s.introspect(ctx, "--buildoptions")
	if err != nil {
		return err
	}
	on, err := mesonSwitches([]byte(text))
	if err != nil || len(on) == 0 {
		return err
	}
	done, err := s.run(ctx, job{step: "configure", dir: s.source, argv: slices.Concat([]string{"meson", "configure", s.into}, on)})
	if err != nil {
		return err
	}
	if done.status == 0 {
		s.record("configure", s.source, slices.Concat([]string{"meson", "configure", s.into}, on))
		s.note("Tests were switched on: %s.", strings.Join(on, " "))
	}
	return nil
}

// mesonSwitches reads Meson's list of options for those of tests that are off.
func mesonSwitches(text []byte) ([]string, error) {
	var options []struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Value any    `json:"value"`
	}
	if err := json.Unmarshal(text, &options); err != nil {
		return nil, fmt.Errorf("reading Meson's list of options: %w", err)
	}
	var on []string
	for _, o := range options {
		switch {
		case !mesonTestOption.MatchString(o.Name):
		case o.Type == "boolean" && o.Value == false:
			on = append(on, "-D"+o.Name+"=true")
		case o.Type == "feature" && o.Value == "disabled", o.Type == "combo" && o.Value == "disabled":
			on = append(on, "-D"+o.Name+"=enabled")
		}
	}
	return on, nil
}

func (s *session) introspect(ctx context.Context, what string) (string, error) {
	argv := []string{"meson", "introspect", what, s.into}
	text, status, err := s.output(ctx, job{step: "configure", dir: s.into, argv: argv})
	if err != nil {
		return "", err
	}
	if status != 0 {
		return "", &StepError{Step: "check", Argv: argv, Output: lastLines(text, 10), Log: s.log.Name(), Err: fmt.Errorf("status %d", status)}
	}
	return text, nil
}

// mesonTest is a test as `meson introspect --tests` lists it.
type mesonTest struct {
	Name     string            `json:"name"`
	Cmd      []string          `json:"cmd"`
	Env      map[string]string `json:"env"`
	Workdir  *string           `json:"workdir"`
	Timeout  float64           `json:"timeout"`
	Protocol string            `json:"protocol"`
	Suite    []string          `json:"suite"`
}

// readMeson reads Meson's list of tests.
func readMeson(text []byte) ([]mesonTest, error) {
	var tests []mesonTest
	if err := json.Unmarshal(text, &tests); err != nil {
		return nil, fmt.Errorf("reading Meson's list of tests: %w", err)
	}
	return tests, nil
}

// checkMeson builds what tests need and takes Meson's list. The exit status 77 says
// that a test was skipped.
func checkMeson(ctx context.Context, s *session) error {
	// Test programs that are not built by default; older versions have no such target.
	if _, err := s.run(ctx, job{step: "check", dir: s.into, argv: []string{"ninja", "meson-test-prereq"}}); err != nil {
		return err
	}
	s.record("check", s.into, []string{"ninja", "meson-test-prereq"})
	text, err := s.introspect(ctx, "--tests")
	if err != nil {
		return err
	}
	list, err := readMeson([]byte(text))
	if err != nil {
		return err
	}
	for i := range list {
		s.tests = append(s.tests, s.fromMeson(&list[i]))
	}
	s.commands, _, err = s.output(ctx, job{step: "check", dir: s.into, argv: []string{"ninja", "-t", "commands"}})
	return err
}

func (s *session) fromMeson(t *mesonTest) Test {
	test := Test{Name: t.Name, From: "meson", Dir: s.capture.relative(s.into), Argv: t.Cmd, Seconds: t.Timeout, Skip: 77}
	if t.Workdir != nil && *t.Workdir != "" {
		test.Dir = s.capture.relative(inFolder(s.into, *t.Workdir))
	}
	for name, value := range t.Env {
		test.Env = append(test.Env, name+"="+value)
	}
	slices.Sort(test.Env)
	return s.finish(test)
}
