package indicator

// Graph is the dynamic mutant subsumption graph of classes: out[i] are the classes that
// class i subsumes directly, in increasing order. One class subsumes another when every test
// that kills it kills the other; directly, when no class is between them.
//
// Source: Kurtz, Ammann, Delamaro, Offutt and Deng, "Mutant subsumption graphs", ICSTW
// 2014.
func Graph(classes []Class) (out [][]int) {
	size := make([]int, len(classes))
	above := make([][]int, len(classes)) // classes that subsume it
	for i, c := range classes {
		size[i] = c.Kill.Count()
	}
	for i, a := range classes {
		for j, b := range classes {
			if size[i] < size[j] && a.Kill.IsSubset(b.Kill) {
				above[j] = append(above[j], i)
			}
		}
	}
	out = make([][]int, len(classes))
	for j := range classes {
		for _, i := range above[j] {
			if !between(classes, size, i, above[j]) {
				out[i] = append(out[i], j)
			}
		}
	}
	return out
}

// between reports whether class i subsumes one of others, and not only itself.
func between(classes []Class, size []int, i int, others []int) bool {
	for _, k := range others {
		if size[i] < size[k] && classes[i].Kill.IsSubset(classes[k].Kill) {
			return true
		}
	}
	return false
}
