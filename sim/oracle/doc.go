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
// each check (nothing_lost.go with hidden.go, decodes.go, answers.go,
// resurrection.go) turns that into findings; match.go holds them against what
// the scenario expects.
package oracle
