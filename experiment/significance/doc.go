// Package significance holds the statistics by which strategies are compared:
// how large a difference is, and how easily chance would have made it.
//
// Size: Median and Quantile describe one sample, A12 is the Vargha-Delaney
// effect size of two. Chance: RankSum and SignedRank are Wilcoxon's two tests,
// Holm corrects their p-values for the number of tests made, and Bootstrap
// gives confidence intervals for any statistic of items that come in clusters,
// such as mutants of one program.
//
// Values that are undefined (the median of nothing) are NaN; input that is
// wrong (a NaN among the observations, samples of different lengths where
// pairs are asked for) is an error. Everything is deterministic.
package significance
