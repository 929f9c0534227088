package main

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/program"
)

// mutationOptions are the flags that say which mutants a program has. All
// commands that make mutants share them.
type mutationOptions struct {
	// Operators names the rules; "" means the default ones.
	Operators string
	Passes    string
	// Undefined keeps what C leaves undefined.
	Undefined bool
	Scope     scope.Options
}

// AddFlags declares the flags.
func (o *mutationOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Operators, "operators", "", "what is mutated into what: presets joined by commas ("+strings.Join(presetNames(), ", ")+"), or a file of rules")
	flags.StringVar(&o.Passes, "tce-passes", tce.All()[0].Name, "how mutants are compared, to leave out those that equal another: "+strings.Join(passNames(), ", "))
	flags.BoolVar(&o.Undefined, "keep-undefined", false, "keep mutants whose behaviour C leaves undefined whenever they are reached, such as x / 0")
	flags.StringVar(&o.Scope.Config, "scope", "", "mutate only what this scope file of Mart names (JSON)")
	flags.StringSliceVar(&o.Scope.Files, "files", nil, "mutate only these source files (names, paths or globs)")
	flags.StringSliceVar(&o.Scope.Functions, "functions", nil, "mutate only these functions (names or globs)")
	flags.StringArrayVar(&o.Scope.Lines, "lines", nil, "mutate only these lines: FILE:10-20,35; may be repeated")
	flags.StringVar(&o.Scope.Diff, "diff", "", "mutate only the lines that changed: a unified diff, or a git revision")
}

// given says whether one of the flags was.
func (o *mutationOptions) given(flags *pflag.FlagSet) (given bool) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(mutationOptions).AddFlags(own)
	own.VisitAll(func(f *pflag.Flag) { given = given || flags.Changed(f.Name) })
	return given
}

func presetNames() []string {
	var out []string
	for _, p := range rule.Presets() {
		out = append(out, p.Name)
	}
	return out
}

func passNames() []string {
	var out []string
	for _, l := range tce.All() {
		out = append(out, l.Name)
	}
	return out
}

// resolve checks the flags.
func (o *mutationOptions) resolve() (program.Mutation, error) {
	passes, err := tce.ByName(o.Passes)
	if err != nil {
		return program.Mutation{}, err
	}
	out := program.Mutation{Passes: passes, Scope: o.Scope, KeepUndefined: o.Undefined}
	if o.Operators != "" {
		if out.Rules, err = rule.Lookup(o.Operators); err != nil {
			return program.Mutation{}, err
		}
	}
	return out, nil
}
