package studies

// All lists the studies in the order of the dissertation's chapters: FaRM's
// questions first, since most readers come for them.
func All() []Study {
	return []Study{rq1, rq2, rq3, rq4, rq5, rq6, rq7, indicators, criteria}
}
