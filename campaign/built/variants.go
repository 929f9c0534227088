package built

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/program"
)

// variant is a source as it is compiled with certain flags, and the units of the build
// whose place its mutated object takes. A build that makes an archive and a shared
// library often compiles every source twice, with flags that say only which symbols are
// seen from outside: those are one variant. Flags that change the code make several,
// each with mutants of its own.
type variant struct {
	input program.Input
	units []string // the first is the one that is compiled
	// again are units, of products that are built from the same sources again, for which it
	// stands, too.
	again []string
}

// variantsOf are the variants of the subject's sources in C, in the order of its units.
func (r *recording) variantsOf(ctx context.Context) ([]*variant, error) {
	exported := r.sharedUnits()
	count := map[string]int{}
	units := slices.Concat(r.units(), r.including())
	for _, u := range units {
		count[u.Source]++
	}
	// An object of a shared library shows its symbols, and may stand anywhere.
	inShared := func(u *capture.Unit) bool { return exported[u.ID] }
	order := slices.DeleteFunc(slices.Clone(units), func(u *capture.Unit) bool { return !inShared(u) })
	order = append(order, slices.DeleteFunc(slices.Clone(units), inShared)...)
	texts, err := r.preprocessed(ctx, order, count)
	if err != nil {
		return nil, err
	}
	var out []*variant
	for k, u := range order {
		same := func(v *variant) bool {
			first := slices.IndexFunc(order, func(o *capture.Unit) bool { return o.ID == v.units[0] })
			return order[first].Source == u.Source && texts[k] != nil && bytes.Equal(texts[first], texts[k])
		}
		if at := slices.IndexFunc(out, same); at >= 0 {
			out[at].units = append(out[at].units, u.ID)
			continue
		}
		out = append(out, &variant{input: r.input(u), units: []string{u.ID}})
	}
	first := func(v *variant) int {
		return slices.IndexFunc(units, func(u *capture.Unit) bool { return slices.Contains(v.units, u.ID) })
	}
	slices.SortFunc(out, func(a, b *variant) int { return first(a) - first(b) })
	if out, err = r.buildAgain(ctx, out); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(out, func(v *variant) bool { return r.looked.spare[variantName(v.input)] }), nil
}

// variantName tells the variants of all sources apart.
func variantName(in program.Input) string {
	return strings.Join(append([]string{in.Path, in.Directory}, in.Flags...), "\x00")
}

// buildAgain finds the units of the subject's products that no variant stands for: test programs that
// compile a library's sources once more. The first variant of their source stands for those of
// the same code, and others are variants of their own. It is not for those where a source tests itself and
// has a main of its own then.
func (r *recording) buildAgain(ctx context.Context, all []*variant) ([]*variant, error) {
	var others []*capture.Unit
	stood := map[string]bool{}
	firsts := map[string]*variant{} // by source
	for _, v := range all {
		for _, id := range v.units {
			stood[id] = true
		}
		if firsts[v.input.Path] == nil {
			firsts[v.input.Path] = v
		}
	}
	for _, path := range r.build.Subject.Products {
		for _, id := range r.build.UnitsOf(r.build.Product(path), capture.Static) {
			unit := r.build.Unit(id)
			if unit == nil || stood[id] {
				continue
			}
			stood[id] = true
			v := firsts[r.build.Path(unit.Source)]
			if v == nil {
				continue
			}
			tests, err := r.startsItself(ctx, r.input(unit), v.input)
			if err != nil {
				return nil, err
			}
			if !tests {
				others = append(others, unit)
			}
		}
	}
	return r.join(ctx, all, others)
}

// join adds units to the variants of the same code, or as further ones.
func (r *recording) join(ctx context.Context, all []*variant, others []*capture.Unit) ([]*variant, error) {
	order := slices.Clone(others)
	for _, v := range all {
		order = append(order, r.build.Unit(v.units[0]))
	}
	count := map[string]int{}
	for _, u := range order {
		count[u.Source]++
	}
	texts, err := r.preprocessed(ctx, order, count)
	if err != nil {
		return nil, err
	}
	of := map[string][]byte{}
	for k, u := range order {
		of[u.ID] = texts[k]
	}
	for _, u := range others {
		same := slices.IndexFunc(all, func(v *variant) bool {
			return v.input.Path == r.build.Path(u.Source) && of[u.ID] != nil && bytes.Equal(of[u.ID], of[v.units[0]])
		})
		if same < 0 {
			all = append(all, &variant{input: r.input(u), units: []string{u.ID}})
		} else {
			all[same].again = append(all[same].again, u.ID)
		}
	}
	return all, nil
}

// startsItself reports whether a source has a main as it is compiled for one, and none for other.
func (r *recording) startsItself(ctx context.Context, one, other program.Input) (bool, error) {
	if text, err := os.ReadFile(one.Path); err != nil || !capture.HasMain(string(text)) {
		return false, nil // what cannot be read cannot be compiled, which says why
	}
	has := func(in program.Input) (bool, error) {
		text, err := r.builder.Tools.In(in.Directory).Preprocess(ctx, in.Path, in.Flags)
		if err != nil {
			return false, ctx.Err() // compiling it will say why
		}
		return capture.HasMain(string(text)), nil
	}
	is, err := has(one)
	if err != nil || !is {
		return false, err
	}
	is, err = has(other)
	return err == nil && !is, err
}

// takenIn are the sources of the subject that the unit of a test program takes in as text; none of other units.
func (r *recording) takenIn(u *capture.Unit) []string {
	at := slices.IndexFunc(r.build.Subject.Including, func(in capture.Including) bool { return in.Unit == u.ID })
	if at < 0 {
		return nil
	}
	return slices.Clone(r.build.Subject.Including[at].Sources)
}

// including are the units of test programs that take one of the round's sources in as text.
func (r *recording) including() []*capture.Unit {
	sources := map[string]bool{}
	for _, u := range r.units() {
		sources[u.Source] = true
	}
	var out []*capture.Unit
	for _, in := range r.build.Subject.Including {
		if slices.ContainsFunc(in.Sources, func(source string) bool { return sources[source] }) {
			out = append(out, r.build.Unit(in.Unit))
		}
	}
	return out
}

// input is how a unit is compiled.
func (r *recording) input(u *capture.Unit) program.Input {
	dir := r.build.Path(u.Dir)
	in := program.Input{Path: r.build.Path(u.Source), Directory: dir, Flags: append(absolute(dir, r.build.Expand(u.Flags...)), "-fPIC")}
	if sources := r.takenIn(u); sources != nil {
		name := variantName(in)
		for k, source := range sources {
			sources[k] = r.build.Path(source)
		}
		// What the copy's own tests do not run is mutated where others do.
		in.Only = func(file string, line int) bool {
			return slices.Contains(sources, file) && !r.looked.copies[name].unreached(file, line)
		}
	}
	return in
}

// blank is what says nothing of the code: line marks, and who sees a symbol.
var blank = regexp.MustCompile(`(?m)^#.*$|__attribute__\s*\(\(\s*(?:__)?visibility(?:__)?\s*\(\s*"\w+"\s*\)\s*\)\)|\s+`)

// preprocessed are the texts of the units whose source there is more than once, but for
// blanks and visibility; nil of the others, and of those that do not compile.
func (r *recording) preprocessed(ctx context.Context, units []*capture.Unit, count map[string]int) ([][]byte, error) {
	return parallel.Map(ctx, r.opts.Workers, units, func(ctx context.Context, _ int, u *capture.Unit) ([]byte, error) {
		if count[u.Source] < 2 {
			return nil, nil
		}
		in := r.input(u)
		text, err := r.builder.Tools.In(in.Directory).Preprocess(ctx, in.Path, in.Flags)
		if err != nil {
			return nil, ctx.Err() // compiling it will say why
		}
		return append([]byte(" "), blank.ReplaceAll(text, nil)...), nil
	})
}

// sharedUnits are the units of the subject's shared libraries.
func (r *recording) sharedUnits() map[string]bool {
	out := map[string]bool{}
	for _, path := range r.build.Subject.Products {
		if p := r.build.Product(path); p != nil && p.Kind == "shared" {
			for _, id := range r.build.UnitsOf(p, capture.Static) {
				out[id] = true
			}
		}
	}
	return out
}

// replacedBy are the units of the subject's products whose place the object of a mutated
// unit takes.
func (r *recording) replacedBy(u *program.Unit) []string {
	same := func(v *variant) bool {
		return v.input.Path == u.Input.Path && v.input.Directory == u.Input.Directory && slices.Equal(v.input.Flags, u.Input.Flags)
	}
	at := slices.IndexFunc(r.variants, same)
	if at < 0 {
		return nil
	}
	return slices.Concat(r.variants[at].units, r.variants[at].again)
}

// files says how many sources there are, and how often they are compiled.
func (r *recording) files() string {
	sources := map[string]bool{}
	variants, copies := 0, 0
	for _, v := range r.variants {
		if v.input.Only != nil {
			copies++
			continue
		}
		variants++
		sources[v.input.Path] = true
	}
	text := fmt.Sprintf("%d files", len(sources))
	switch {
	case len(sources) == 1 && variants == 1:
		text = "1 file"
	case len(sources) == 1:
		text = fmt.Sprintf("1 file, with %d sets of flags,", variants)
	case len(sources) < variants:
		text += ", some with several sets of flags,"
	}
	switch {
	case copies == 1:
		text += " and what a test includes"
	case copies > 1:
		text += fmt.Sprintf(" and what %d tests include", copies)
	}
	return text
}
