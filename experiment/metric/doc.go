// Package metric measures predictions and orders: how well scores tell
// positives from negatives (AUC, average precision, precision and recall at
// the top, calibration) and how early an order finds what is looked for
// (APFD).
//
// Equal scores carry no information on their order, so no metric depends on
// the order in which tied items happen to be listed: each gives the mean over
// all orders of the tied items, or treats them as one step.
//
// Shares are between 0 and 1. A metric that is undefined, such as the AUC of
// items of one class, is NaN.
package metric
