// Package oracletest plays runs on two fake servers and records their histories, so that tests of the oracle judge what they describe.
//
// A Run begins at stage old. A test moves it through stages, sends calls through the replicas a
// and b, and has the history judged. Defects are written in by hand: what a release does to
// objects (Behave), what the servers write of their own accord (Change), and what was recorded
// (Exchange, EditAnswer and the other methods of Recording).
//
//	run := oracletest.NewRun(t)
//	run.Stage("upgrading 1/2", term.New, term.Old)
//	run.Create("treated-1", `{"shine": {"level": 3}}`, oracletest.Via("a"))
//	run.Patch("treated-1", oracletest.Via("b"))
//	run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
//
// Only tests import it. It starts no server and reads no file.
package oracletest
