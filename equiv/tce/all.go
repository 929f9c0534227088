package tce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// PassList is one way to optimise the mutants before they are compared.
type PassList struct {
	// Name is one word, used on the command line and in verdicts.
	Name string
	// Doc says in one sentence what the list is for.
	Doc string
	// Stages are pipelines in the syntax of opt's -passes, run one after the
	// other. Functions that are equal after a stage go through the next ones as
	// one.
	Stages []string
	// Flags are further flags of opt.
	Flags []string
	// BlindPhis leaves out of the comparison which values a phi takes. So does the
	// llvm-diff that Mart compares functions with, which calls mutants equal that
	// are not: it is for comparison with Mart, and no list of All has it.
	BlindPhis bool
	// Trust is what passes may assume of the code; what they may not is defined
	// first (see the package comment).
	Trust Trust
}

// Trust says how much of what C leaves undefined is taken never to happen.
type Trust uint8

const (
	// TrustNothing: only accesses outside of an object.
	TrustNothing Trust = iota
	// TrustArithmetic: also overflow, in the instructions that a mutant does
	// not touch.
	TrustArithmetic
	// TrustEverything: whatever the compiler's code lets passes assume.
	TrustEverything
)

// The lists of our own are Riener's passes and more, cheap ones first: most of
// what is found at all is found by the first two stages. What each pass finds and
// costs is in docs/results/mutate.md.
var (
	firstStages = []string{"function(sroa,early-cse)", "function(instcombine,simplifycfg)", "function(reassociate,gvn)"}
	scalar      = append(slices.Clone(firstStages), "function(correlated-propagation,sccp,adce,instcombine,simplifycfg)")
	// loops also knows how loop counters run, which takes their not overflowing.
	loops = append(slices.Clone(firstStages),
		"function(correlated-propagation,sccp,loop-simplify,lcssa,loop(indvars),adce,instcombine,simplifycfg)")
	// once keeps instcombine from looking again whether nothing is left to do.
	once = []string{"-instcombine-max-iterations=1"}
)

// All returns the pass lists; the first is the default.
func All() []PassList {
	return []PassList{
		{
			Name:   "default",
			Doc:    "scalar optimisation of code in which undefined behaviour has been defined: what it finds holds for the machine's arithmetic",
			Stages: scalar,
			Flags:  once,
		},
		{
			Name:   "nowrap",
			Doc:    "as default, but signed arithmetic that a mutant does not touch is taken never to overflow: loop counters do not turn negative",
			Stages: loops,
			Flags:  once,
			Trust:  TrustArithmetic,
		},
		{
			Name:   "mart",
			Doc:    "the weak check that Mart runs on each mutant, for comparison with its counts",
			Stages: []string{"function(simplifycfg,sroa,early-cse,lower-expect)"},
			Trust:  TrustEverything,
		},
		{
			Name:   "riener",
			Doc:    "the pipeline of Riener (2011, section 3.2), in the order of its prose",
			Stages: []string{"function(mem2reg,instcombine,simplifycfg,reassociate,gvn,sccp,adce,instcombine,simplifycfg)"},
			Trust:  TrustEverything,
		},
		{
			Name:   "O2",
			Doc:    "what clang runs at -O2: finds the most, and takes overflow and uninitialised variables as leave to call mutants equal that no compiler has to make equal",
			Stages: []string{"function(lower-expect,simplifycfg,sroa,early-cse)", "default<O2>"},
			Trust:  TrustEverything,
		},
		{
			Name:   "none",
			Doc:    "no optimisation and no comparison: only mutants that are no valid programs are found",
			Stages: []string{verifyOnly},
			Trust:  TrustEverything,
		},
	}
}

// verifyOnly is the pipeline of the list that compares nothing.
const verifyOnly = "verify"

// Compares reports whether mutants are compared at all, not only verified.
func (l PassList) Compares() bool { return l.Stages[0] != verifyOnly }

// Passes is the whole pipeline, as one function alone goes through it.
func (l PassList) Passes() string { return strings.Join(l.Stages, ",") }

// merging is the pipeline for many clones at once: LLVM's mergefunc leaves one of
// those that are equal after a stage. It compares functions as the machine sees
// them, with no regard to the types that pointers point to.
func (l PassList) merging() string { return strings.Join(l.Stages, ",mergefunc,") }

// ByName returns the pass list of that name.
func ByName(name string) (PassList, error) {
	var names []string
	for _, l := range All() {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return PassList{}, exit.Usagef("no pass list %q: choose one of %s", name, strings.Join(names, ", "))
}

// evidence names a pass list in verdicts.
func (l PassList) evidence() string { return fmt.Sprintf("tce/%s", l.Name) }
