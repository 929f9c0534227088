package graph

import (
	"maps"
	"slices"
	"strings"
)

// products makes products of what is there at the end, and of programs that the
// build made and removed again.
func (b *builder) products(now map[string]string) []*Product {
	places := map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		places[now[path]] = append(places[now[path]], path)
	}
	taken := map[string]bool{}
	var out []*Product
	for _, a := range slices.Backward(b.order) {
		if a.kind == "" {
			continue
		}
		at := places[a.hash]
		last := b.byPath[a.path][len(b.byPath[a.path])-1] == a
		path, gone := a.path, false
		switch {
		case a.hash != "" && len(at) > 0 && !slices.Contains(at, a.path):
			path = at[0]
		case len(at) == 0 && !last:
			continue
		case len(at) == 0:
			gone = now[a.path] == ""
		}
		if taken[path] {
			continue
		}
		taken[path] = true
		p := &Product{Path: path, Kind: a.kind, Dir: a.dir, Link: a.link, Step: a.step, Gone: gone}
		for _, copy := range at {
			if copy != path {
				p.Copies = append(p.Copies, copy)
				taken[copy] = true
			}
		}
		a.product = p
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Product) int { return strings.Compare(a.Path, b.Path) })
	b.connect(out)
	return dependentsLast(out)
}

// dependentsLast moves products behind those that they are made of.
func dependentsLast(products []*Product) []*Product {
	var out []*Product
	seen := map[*Product]bool{}
	var visit func(p *Product)
	visit = func(p *Product) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, in := range p.Inputs {
			if in.Product != nil {
				visit(in.Product)
			}
		}
		out = append(out, p)
	}
	for _, p := range products {
		visit(p)
	}
	return out
}

// connect gives products their inputs. An input that is no product itself, since a
// later file took its place, counts as the one that has its path now.
func (b *builder) connect(products []*Product) {
	byPath := map[string]*Product{}
	for _, p := range products {
		byPath[p.Path] = p
	}
	for _, a := range b.order {
		if a.product == nil {
			continue
		}
		for _, in := range a.inputs {
			a.product.Inputs = append(a.product.Inputs, b.inputs(in, byPath)...)
		}
	}
}

func (b *builder) inputs(in part, byPath map[string]*Product) []Input {
	switch {
	case in.made == nil:
		return []Input{{Unit: in.unit, Position: in.position, Library: in.library, File: in.file, Operand: in.operand, Object: in.object}}
	case in.made.kind == "": // an object in an archive
		var out []Input
		for _, below := range in.made.inputs {
			below.operand = in.operand
			out = append(out, b.inputs(below, byPath)...)
		}
		return out
	case in.made.product != nil:
		return []Input{{Product: in.made.product}}
	case byPath[in.made.path] != nil:
		return []Input{{Product: byPath[in.made.path]}}
	}
	return []Input{{File: in.made.path}}
}
