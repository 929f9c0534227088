package main

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// tell looks, of the proofs that are open, for inputs of the program that tell the mutants, or else for calls of
// their functions, no longer than all these functions together may take; 0 is no bound. Calls are left out where
// something is assumed of functions' arguments: they are not held to it. It says how many it looked at and told.
func tell(ctx context.Context, p *program.Program, proofs []program.Proof, functionTime time.Duration, calls bool) (equiv.Report, error) {
	out := equiv.Report{Stage: dataset.Interpreted}
	start := time.Now()
	examples := program.NewExamples(p, nil)
	find := func(of func(context.Context, []string) (map[string]*report.Example, error), evidence string, text func(*report.Example) string) error {
		var open []string
		functions := map[string]bool{}
		for k := range proofs {
			if m := &proofs[k].Mutant; proofs[k].Verdict == equiv.Unknown {
				open, functions[m.File+":"+m.Function] = append(open, m.ID), true
			}
		}
		limited, stop := ctx, func() {}
		if functionTime > 0 {
			limited, stop = context.WithTimeout(ctx, functionTime*time.Duration(len(functions)))
		}
		defer stop()
		told, err := of(limited, open)
		if err != nil && (ctx.Err() != nil || !errors.Is(limited.Err(), context.DeadlineExceeded)) {
			return err
		}
		out.Mutants, out.Different = max(out.Mutants, len(open)), out.Different+len(told)
		for k := range proofs {
			if example := told[proofs[k].Mutant.ID]; example != nil {
				proofs[k].Verdict, proofs[k].Evidence, proofs[k].Reason = equiv.Different, evidence, text(example)
			}
		}
		return nil
	}
	err := find(examples.Inputs, dataset.Interpreted, (*report.Example).String)
	if err == nil && calls {
		err = find(examples.Calls, dataset.InterpretedCall, func(e *report.Example) string { return e.Call })
	}
	out.Busy = time.Since(start)
	return out, err
}

// proveOpen asks stages about the mutants that are open, and puts what they say into the proofs.
func proveOpen(ctx context.Context, p *program.Program, proofs []program.Proof, tools *clang.Toolchain, how program.Proving) error {
	at := map[string]int{}
	how.IDs = map[string]bool{}
	for k := range proofs {
		if id := proofs[k].Mutant.ID; proofs[k].Verdict == equiv.Unknown {
			at[id], how.IDs[id] = k, true
		}
	}
	if len(at) == 0 {
		return nil
	}
	found, err := p.Prove(ctx, tools, how)
	if err != nil {
		return err
	}
	for _, one := range found {
		if k, ok := at[one.Mutant.ID]; ok {
			one.Mutant = proofs[k].Mutant
			proofs[k] = one
		}
	}
	return nil
}
