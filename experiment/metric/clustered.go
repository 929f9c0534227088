package metric

// Clustered gives the AUC of predictions whose items come in clusters, each of
// which may occur any number of times: the statistic of a bootstrap by cluster.
//
// The pairs of a positive and a negative item that the scores put in the right
// order are counted once, by the clusters of the two. With times[i] occurrences
// of cluster i a pair of clusters i and k counts times[i] times times[k], so
// that a resample costs the square of the number of clusters, however many items
// they have.
type Clustered struct {
	p       Predictions
	cluster []int
	// positives and negatives count the items of a cluster. pairs[i*clusters+k]
	// is twice the number of pairs in the right order, ties counting half, of an
	// item of cluster i that is of the rarer class and an item of cluster k that
	// is of the other one; nil where clusters are too many for it to be cheaper.
	positives, negatives []int64
	pairs                []int64
}

// NewClustered prepares predictions for resampling: cluster[i], from 0 and below
// clusters, is the cluster of item i. The slice is kept, not copied.
func NewClustered(p Predictions, cluster []int, clusters int) *Clustered {
	c := &Clustered{p: p, cluster: cluster, positives: make([]int64, clusters), negatives: make([]int64, clusters)}
	for i, is := range p.positive {
		if is {
			c.positives[cluster[i]]++
		} else {
			c.negatives[cluster[i]]++
		}
	}
	// A step of a sweep over items takes a few times as long as one over pairs.
	if clusters*clusters <= 4*p.Len() {
		c.countPairs()
	}
	return c
}

// countPairs walks up the scores where positives are rarer, which win over what is
// below them, and down where negatives are, and adds at each item of the rarer
// class how many of the other one were passed, by cluster.
func (c *Clustered) countPairs() {
	n, items := len(c.positives), c.p.Len()
	rarer := 2*c.p.Positives() <= items
	c.pairs = make([]int64, n*n)
	passed := make([]int64, n) // twice: a tie counts one
	at := func(k int) int { return c.p.order[k] }
	if rarer {
		at = func(k int) int { return c.p.order[items-1-k] }
	}
	for start := 0; start < items; {
		end := start + 1
		for end < items && c.p.scores[at(end)] == c.p.scores[at(start)] {
			end++
		}
		pass := func() {
			for k := start; k < end; k++ {
				if c.p.positive[at(k)] != rarer {
					passed[c.cluster[at(k)]]++
				}
			}
		}
		pass()
		for k := start; k < end; {
			i := at(k)
			same := int64(0) // of one cluster in a row: mutants of a program tie
			for ; k < end && c.cluster[at(k)] == c.cluster[i]; k++ {
				if c.p.positive[at(k)] == rarer {
					same++
				}
			}
			if same > 0 {
				row := c.pairs[c.cluster[i]*n : (c.cluster[i]+1)*n]
				for other, count := range passed {
					row[other] += same * count
				}
			}
		}
		pass()
		start = end
	}
}

// AUC is the area under the ROC curve when cluster i occurs times[i] times; NaN
// when a class has no item. It is Predictions.AUCOf to the bit, all sums being
// whole numbers of halves. It may be called from several goroutines.
func (c *Clustered) AUC(times []int) float64 {
	if c.pairs == nil {
		count := make([]int, len(c.cluster))
		for i, k := range c.cluster {
			count[i] = times[k]
		}
		return c.p.AUCOf(count)
	}
	n := len(times)
	drawn := make([]int64, n)
	positives, negatives := int64(0), int64(0)
	for i, t := range times {
		drawn[i] = int64(t)
		positives += drawn[i] * c.positives[i]
		negatives += drawn[i] * c.negatives[i]
	}
	twice := int64(0)
	for i, t := range drawn {
		if t == 0 {
			continue
		}
		sum := int64(0)
		row := c.pairs[i*n : (i+1)*n]
		for k, pairs := range row[:len(drawn)] {
			sum += drawn[k] * pairs
		}
		twice += t * sum
	}
	return float64(twice) / 2 / (float64(positives) * float64(negatives)) // 0/0, NaN, without a class
}
