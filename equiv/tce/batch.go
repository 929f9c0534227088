package tce

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/ir/clang"
)

// clone is one function to optimise: an original or a mutant.
type clone struct {
	// of and item are where its digest goes. Its name is made of them, and so the
	// same in every batch.
	of   *comparison
	item int
	// unit is the only part of the batch whose clones it may be merged with.
	unit string
	// template and body make its text.
	template *template
	body     string
	// needs are the globals it names.
	needs []string
}

// batch is clones of functions of one module, for one opt process.
type batch struct {
	name   string // the module's, for messages
	header *header
	// declarations are those of all that the clones name.
	declarations string
	clones       []clone
	// of are the functions that the clones are of.
	of []*comparison
	// err is why clones could not be made; there is nothing else then.
	err error
}

// optimiser runs passes over the clones of a batch.
type optimiser struct {
	tools  *clang.Toolchain
	passes PassList
	*batch
}

// optimise fills in the digests of a batch. A clone that LLVM's verifier refuses
// stays without one, and with the reason; the others go on without it.
func (o *optimiser) optimise(ctx context.Context, batch []clone) error {
	if len(batch) == 0 {
		return nil
	}
	text, err := o.tools.Optimize(ctx, o.name, o.module(batch), o.passes.merging(), o.passes.Flags...)
	var refused *clang.Error
	switch {
	case err == nil:
		o.read(string(text), batch)
		return nil
	case ctx.Err() != nil || !errors.As(err, &refused):
		return fmt.Errorf("optimising mutants of %s: %w", o.name, err)
	}
	// Where not even an empty module passes, no part will.
	if _, err := o.tools.Optimize(ctx, o.name, []byte(o.declarations), o.passes.merging(), o.passes.Flags...); err != nil {
		return fmt.Errorf("optimising the declarations of %s: %w", o.name, err)
	}
	if err := o.refuse(ctx, batch); err != nil {
		return err
	}
	good := slices.DeleteFunc(slices.Clone(batch), func(c clone) bool { return c.of.refused[c.item] != "" })
	switch {
	case len(good) < len(batch):
		return o.optimise(ctx, good)
	case len(batch) == 1:
		return nil // valid, and yet opt fails on it: it is not examined
	}
	half := len(batch) / 2
	return errors.Join(o.optimise(ctx, batch[:half]), o.optimise(ctx, batch[half:]))
}

// refuse asks the verifier about a batch, and halves what it refuses until each
// wrong clone is alone.
func (o *optimiser) refuse(ctx context.Context, batch []clone) error {
	err := o.tools.Verify(ctx, o.name, o.module(batch))
	var refused *clang.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil || !errors.As(err, &refused):
		return fmt.Errorf("verifying mutants of %s: %w", o.name, err)
	case len(batch) == 1:
		batch[0].of.refused[batch[0].item] = refused.Stderr
		return nil
	}
	half := len(batch) / 2
	return errors.Join(o.refuse(ctx, batch[:half]), o.refuse(ctx, batch[half:]))
}

func (o *optimiser) module(batch []clone) []byte {
	size := len(o.declarations)
	for i := range batch {
		size += len(batch[i].body) + aboutALine
	}
	text := bytes.NewBuffer(make([]byte, 0, size))
	text.WriteString(o.declarations)
	for _, c := range batch {
		c.template.define(text, c.name(), c.unit, c.body)
	}
	fmt.Fprintf(text, "%s = global [%d x i8*] [", table, len(batch))
	for i, c := range batch {
		if i > 0 {
			text.WriteString(", ")
		}
		fmt.Fprintf(text, "i8* bitcast (%s %s to i8*)", c.template.kind, c.name())
	}
	text.WriteString("]\n")
	return text.Bytes()
}

// aboutALine is room for the first line of a definition and for its entry in the
// table.
const aboutALine = 256

// table is the global that names the clones in order. Where one is merged with
// another, it names the other.
const table = "@winnow.clones"

func (o *optimiser) read(text string, batch []clone) {
	taken := takeApart(text, o.header.types, func(name string) bool {
		return strings.HasPrefix(name, ownPrefix) || o.header.entries[name].text != ""
	})
	taken.blindPhis = o.passes.BlindPhis
	digests := map[string]digest{}
	names := cloneNames(text)
	for i, c := range batch {
		if i == len(names) {
			break // a module that opt printed names all
		}
		name := names[i]
		if _, ok := digests[name]; !ok {
			digests[name] = taken.digest(taken.functions[name])
		}
		c.of.digests[c.item], c.of.known[c.item] = digests[name], true
	}
}

// ownPrefix starts the names of all globals that clones bring along.
const ownPrefix = "@winnow."

const clonePrefix = ownPrefix + "clone."

func (c *clone) name() string {
	return clonePrefix + strconv.Itoa(c.of.number) + "." + strconv.Itoa(c.item)
}

// cloneNames reads the table of a module.
func cloneNames(text string) []string {
	at := strings.Index(text, "\n"+table+" = ")
	if at < 0 {
		return nil
	}
	line, _, _ := strings.Cut(text[at+1:], "\n")
	var out []string
	for {
		k := strings.Index(line, clonePrefix)
		if k < 0 {
			return out
		}
		n := 1 + identifier(line[k+1:])
		out = append(out, line[k:k+n])
		line = line[k+n:]
	}
}
