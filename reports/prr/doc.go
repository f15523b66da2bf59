// Package prr answers the questions of a KEP's production readiness review that the
// measurements of runs can answer. An answer claims no more than was measured: each claim
// names its run, and the answers say what no run measured.
package prr
