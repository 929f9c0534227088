package main

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
)

func TestHintsNameCommandsAndFlagsThatThereAre(t *testing.T) {
	flags, commands := map[string]bool{}, map[string]bool{"": true}
	root, _ := newRoot()
	for _, cmd := range withAllBelow(root) {
		commands[cmd.CommandPath()] = true
		for _, word := range regexp.MustCompile(`--[a-z-]+`).FindAllString(cmd.Flags().FlagUsages(), -1) {
			flags[word] = true
		}
	}
	for _, h := range hints {
		if !commands[h.command] {
			t.Errorf("there is no command %q", h.command)
		}
		for _, word := range regexp.MustCompile(`--[a-z-]+`).FindAllString(h.text, -1) {
			if !flags[word] {
				t.Errorf("%q: no command has a flag %s", h.text, word)
			}
		}
		if _, command, ok := strings.Cut(h.text, "winnow "); ok {
			verb := regexp.MustCompile(`^[a-z]*`).FindString(command)
			if verb != "mutates" && !commands["winnow "+verb] {
				t.Errorf("%q: there is no command %s", h.text, verb)
			}
		}
	}
}

func TestAHintIsThatOfTheCommand(t *testing.T) {
	err := exit.Mark(exit.Output, exit.ErrExists, errors.New("out exists"))
	for command, want := range map[string]string{"winnow mutate": "--out", "winnow init": "--force", "winnow run": "--resume"} {
		if got := hintOf(command, err); !strings.Contains(got, want) {
			t.Errorf("%s: hint %q, want one with %s", command, got, want)
		}
	}
	if got := hintOf("winnow run", exit.New(exit.Input, errors.New("x"), "mend it")); got != "mend it" {
		t.Errorf("the error's own hint is %q", got)
	}
}
