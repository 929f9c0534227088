// Package smtlib puts questions about terms into words that other solvers read, and asks them:
// SMT-LIB 2.6 (Barrett, Fontaine and Tinelli, "The SMT-LIB Standard", 2017).
//
// # What a text says
//
// Write makes one text of a condition: unsat is the answer that it never holds. Every term is
// defined once, by its number in the pool, so that a text is as long as the terms are many.
// Vectors are vectors there, and a truth a vector of one bit. Memory is an array of bytes by
// address. A trace is of a sort of which nothing is known, and each kind of event a function to
// it; so are functions that are not interpreted. That different events differ is not said: the
// conditions of this module say where they look at it (term.Pool.Differs).
//
// What a condition assumes was put into it while its terms were made, such as that variables lie
// apart: a text proves the condition, not that assumption.
//
// # Asking
//
// A Solver (solver.go) is a process that reads texts from a pipe, one after another, each
// forgotten before the next. It is asked two questions whose answers are known before it is
// believed in anything, and its models are computed by the one who asks.
package smtlib

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Write writes a condition, a term of one bit, as a text of its own that ends with the question
// whether it can hold. Comments go in front, a line each.
func Write(w io.Writer, condition *term.Term, comments ...string) error {
	out := bufio.NewWriter(w)
	for _, c := range comments {
		fmt.Fprintf(out, "; %s\n", strings.ReplaceAll(c, "\n", " "))
	}
	fmt.Fprintln(out, "(set-logic ALL)")
	declare(out, condition)
	fmt.Fprintf(out, "(assert (= %s #b1))\n(check-sat)\n", nameOf(condition))
	return out.Flush()
}

// nameOf is what a term is called.
func nameOf(t *term.Term) string { return fmt.Sprintf("t%d", t.ID) }

func sortOf(width uint8) string {
	switch width {
	case term.Memory:
		return "(Array (_ BitVec 64) (_ BitVec 8))"
	case term.Trace:
		return "Trace"
	}
	return fmt.Sprintf("(_ BitVec %d)", width)
}

// declare writes the definitions of all that a condition is made of, arguments first.
func declare(w io.Writer, condition *term.Term) {
	d := declarer{w: w, functions: map[string]string{}}
	term.Each(func(t *term.Term) { // sorts come before what has them
		if !d.traces && t.Width == term.Trace {
			d.traces = true
			fmt.Fprintln(w, "(declare-sort Trace 0)")
		}
	}, condition)
	term.Each(d.declare, condition)
}

type declarer struct {
	w      io.Writer
	traces bool
	// functions are the names of those that were declared, by what they are.
	functions map[string]string
}

func (d *declarer) declare(t *term.Term) {
	if t.Op == term.Var {
		fmt.Fprintf(d.w, "(declare-fun %s () %s) ; %s\n", nameOf(t), sortOf(t.Width), t.Name)
		return
	}
	fmt.Fprintf(d.w, "(define-fun %s () %s %s)\n", nameOf(t), sortOf(t.Width), d.meaning(t))
}

// operators are those that SMT-LIB has under a name.
var operators = map[term.Op]string{term.UDiv: "bvudiv", term.URem: "bvurem", term.SDiv: "bvsdiv", term.SRem: "bvsrem",
	term.And: "bvand", term.Or: "bvor", term.Xor: "bvxor", term.Not: "bvnot", term.Shl: "bvshl", term.LShr: "bvlshr", term.AShr: "bvashr",
	term.Product: "bvmul", term.Concat: "concat"}

// relations are those whose truth is made a vector.
var relations = map[term.Op]string{term.Eq: "=", term.Ult: "bvult", term.Slt: "bvslt"}

// meaning is what a term that is no input is.
func (d *declarer) meaning(t *term.Term) string {
	args := make([]string, len(t.Args))
	for k, a := range t.Args {
		args[k] = nameOf(a)
	}
	all := strings.Join(args, " ")
	if name, ok := operators[t.Op]; ok {
		return nested(name, args)
	}
	if name, ok := relations[t.Op]; ok {
		return fmt.Sprintf("(ite (%s %s) #b1 #b0)", name, all)
	}
	switch t.Op {
	case term.Const:
		return number(t.X, t.Width)
	case term.Sum:
		return sum(t, args)
	case term.Ite:
		return fmt.Sprintf("(ite (= %s #b1) %s %s)", args[0], args[1], args[2])
	case term.Extract:
		return fmt.Sprintf("((_ extract %d %d) %s)", t.X+uint64(t.Width)-1, t.X, all)
	case term.ZExt:
		return fmt.Sprintf("((_ zero_extend %d) %s)", t.Width-t.Args[0].Width, all)
	case term.SExt:
		return fmt.Sprintf("((_ sign_extend %d) %s)", t.Width-t.Args[0].Width, all)
	case term.Store:
		return stored(t, args)
	}
	if t.Op == term.App && t.Name == term.Byte {
		return fmt.Sprintf("(select %s)", all)
	}
	return nested(d.function(t), args)
}

// nested applies a function of two arguments to more, and any to its own.
func nested(name string, args []string) string {
	if (name == "bvmul" || name == "bvand" || name == "bvor" || name == "bvxor" || name == "concat") && len(args) > 2 {
		return fmt.Sprintf("(%s %s %s)", name, nested(name, args[:len(args)-1]), args[len(args)-1])
	}
	if len(args) == 0 {
		return name
	}
	return fmt.Sprintf("(%s %s)", name, strings.Join(args, " "))
}

func number(x uint64, width uint8) string { return fmt.Sprintf("(_ bv%d %d)", x, width) }

func sum(t *term.Term, args []string) string {
	out := number(t.X, t.Width)
	for k, c := range t.Coefficients {
		part := args[k]
		if c != 1 {
			part = fmt.Sprintf("(bvmul %s %s)", number(c, t.Width), part)
		}
		out = fmt.Sprintf("(bvadd %s %s)", out, part)
	}
	return out
}

// stored has the bytes of a vector put into memory one by one, the lowest first.
func stored(t *term.Term, args []string) string {
	out := args[0]
	for k := range t.Args[2].Width / 8 {
		out = fmt.Sprintf("(store %s (bvadd %s %s) ((_ extract %d %d) %s))", out, args[1], number(uint64(k), 64), 8*k+7, 8*k, args[2])
	}
	return out
}

// function is the name of one that is not interpreted, declared when it is first met.
func (d *declarer) function(t *term.Term) string {
	sorts := make([]string, len(t.Args))
	for k, a := range t.Args {
		sorts[k] = sortOf(a.Width)
	}
	what := fmt.Sprintf("%v %q (%s) %s", t.Op, t.Name, strings.Join(sorts, " "), sortOf(t.Width))
	name, known := d.functions[what]
	if !known {
		name = fmt.Sprintf("f%d", len(d.functions))
		d.functions[what] = name
		fmt.Fprintf(d.w, "(declare-fun %s (%s) %s) ; %q\n", name, strings.Join(sorts, " "), sortOf(t.Width), t.Name)
	}
	return name
}
