// Package evidence computes what several checks use from a trace: acknowledged values, the
// effect of each call, comparable calls, and stored values that a release cannot read.
//
// Gather computes all of it before any check judges. The package makes no finding, and checks add
// nothing to the evidence.
package evidence
