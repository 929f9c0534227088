package features

import (
	"bytes"
	"math"

	"github.com/winnow-mutants/winnow/csource"
)

// sourceFiles are the files of the C source that have mutants, by the name that debug
// information has; nil for one that holds no code of the user. Empty without a source.
var sourceFiles = &analysis[*program, map[string]*csource.File]{
	name: "C source",
	find: func(p *program) map[string]*csource.File {
		out := map[string]*csource.File{}
		for i := range p.mutants {
			name := p.mutants[i].File
			if _, known := out[name]; !known && p.inputs.source != nil {
				out[name] = p.inputs.source.In(name)
			}
		}
		return out
	},
}

// sourceLines are the lines of these files.
var sourceLines = &analysis[*program, map[string][][]byte]{
	name: "lines of the C source", requires: []Requirement{sourceFiles},
	find: func(p *program) map[string][][]byte {
		out := map[string][][]byte{}
		for name, file := range sourceFiles.of(p) {
			if file != nil {
				out[name] = bytes.Split(file.Content(file.Path), []byte("\n"))
			}
		}
		return out
	},
}

// inSource is a site in the C source: the outermost expression that has its debug
// location, and the statement. Either may be nil.
type inSource struct {
	expr *csource.Expr
	stmt *csource.Stmt
}

var sourceOf = &analysis[*site, inSource]{
	name: "site in the C source", requires: []Requirement{sourceFiles},
	find: func(s *site) inSource {
		m := s.first()
		file := sourceFiles.of(s.owner())[m.File].Within(m.Function)
		if file == nil || m.Line <= 0 {
			return inSource{}
		}
		found := file.At(m.Line, m.Column)
		if len(found) == 0 {
			found = file.StartingAt(m.Line, m.Column)
		}
		if len(found) > 0 && found[0].Stmt != nil {
			return inSource{found[0], found[0].Stmt}
		}
		return inSource{nil, file.StatementAt(m.Line, m.Column)}
	},
}

// functionShape is what is kept of a function's C text.
type functionShape struct {
	halstead [4]float64
	shape    [6]float64 // the last columns of family syntax
}

// sourceFunction is the C function around a site; nil where there is none.
var sourceFunction = &analysis[*site, *functionShape]{
	name: "C function", requires: []Requirement{sourceOf, functionShapes},
	find: func(s *site) *functionShape {
		st := sourceOf.of(s).stmt
		if st == nil || st.Function == nil {
			return nil
		}
		known := functionShapes.of(s.fn)
		if known[st.Function] == nil {
			known[st.Function] = shapeOf(st.Function)
		}
		return known[st.Function]
	},
}

// functionShapes are the C functions that sites of a function are in, which macros and
// #line may make several.
var functionShapes = &analysis[*function, map[*csource.Function]*functionShape]{
	name: "C functions",
	find: func(*function) map[*csource.Function]*functionShape { return map[*csource.Function]*functionShape{} },
}

func shapeOf(function *csource.Function) *functionShape {
	f := &functionShape{}
	operators, operands := map[string]int{}, map[string]int{}
	function.Body.Walk(func(st *csource.Stmt) bool {
		f.shape[0]++
		f.shape[2] += truth(st.Kind.IsLoop())
		f.shape[3] += truth(st.Kind == csource.If)
		f.shape[4] += truth(st.Kind == csource.Return)
		f.shape[5] = max(f.shape[5], float64(st.Depth))
		if st.Kind != csource.ExprStmt && st.Kind != csource.Block {
			operators[st.Kind.String()]++
		}
		for _, e := range st.Exprs {
			e.Walk(func(x *csource.Expr) bool {
				f.shape[1]++
				switch {
				case x.Kind == csource.Identifier:
					operands[x.Name]++
				case x.Kind.IsLiteral():
					operands[x.Text()]++
				case x.Op != "":
					operators[x.Op]++
				default:
					operators[x.Kind.String()]++
				}
				return true
			})
		}
		return true
	})
	total := func(counts map[string]int) (n float64) {
		for _, c := range counts {
			n += float64(c)
		}
		return n
	}
	length, vocabulary := total(operators)+total(operands), float64(len(operators)+len(operands))
	f.halstead = [4]float64{math.Log2(1 + length), math.Log2(1 + vocabulary), 0, 0}
	if vocabulary > 0 {
		f.halstead[2] = math.Log2(1 + length*math.Log2(vocabulary))
	}
	if len(operands) > 0 {
		f.halstead[3] = float64(len(operators)) / 2 * total(operands) / float64(len(operands))
	}
	return f
}
