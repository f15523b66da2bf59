// Package oracle judges a finished history: it turns what happened into
// findings, verdicts and the ledger of every copy.
//
// It is a pure function of the history and the schemas that lie beside it: no
// server, no clock, no file. Equal inputs give equal results. It knows rules,
// not cases: no field of any API is named in it.
//
// A value counts once a success showed what a client had sent (ledger.go). It
// is withdrawn only by an operation that names its path. What became of it is
// read off every later answer, and off every stored version (versions.go);
// each check turns that into findings (nothing_lost.go with hidden.go,
// decodes.go with one file for each way of reading, stays_writable.go,
// resurrection.go, rule1.go to rule6.go, answers.go); calls.go knows which call
// is held against which, and which check tells of one that failed; match.go
// holds findings against what the scenario expects.
package oracle
