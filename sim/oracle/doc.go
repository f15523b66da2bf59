// Package oracle judges a finished history: it turns what happened into findings, verdicts and
// the ledger of every copy.
//
// It is a pure function of the history and the schemas beside it: no server, no clock, no file.
// Equal inputs give equal results. It knows rules, not cases: it names no field of any API.
//
// Judge builds a trace (package trace: one timeline a copy), derives what several checks use
// (package evidence), runs the checks in the order of the list in checks.go (packages below
// checks/, which explain their findings with package blame and write them with package finding),
// and compares the findings with what the scenario expects (match.go).
package oracle
