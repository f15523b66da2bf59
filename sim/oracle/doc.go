// Package oracle judges a finished history: it turns what happened into findings, verdicts and
// the ledger of every copy.
//
// It is a pure function of the history and the schemas beside it: no server, no clock, no file.
// Equal inputs give equal results. It knows rules, not cases: it names no field of any API.
//
// Judge builds a trace (package trace: one timeline a copy, and the facts that several checks use), runs the
// checks in the order of the list in checks.go (package checks, which explains and writes its findings with
// package blame), and compares the findings with what the scenario expects (match.go).
package oracle
