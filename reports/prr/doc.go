// Package prr turns the measurements of runs into answers to the questions of a KEP's
// production readiness review that a run can answer. An answer claims no more than was
// measured: each claim names its run, and the answers say what no run measured.
package prr
