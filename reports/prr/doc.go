// Package prr turns what runs measured into answers to the questions of a KEP's
// production readiness review that a run can answer.
//
// An answer claims no more than was measured: each claim names its run, and what no run
// measured is said to be so.
package prr
