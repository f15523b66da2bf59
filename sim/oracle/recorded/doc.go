// Package recorded keeps small histories of real runs, for tests to judge anew without
// a server.
//
// It trims the history in a run directory to the few copies that show what the whole run
// showed, removes what differs from machine to machine, and stores the rest in an Archive.
// It starts nothing. Only the record command and tests import it.
//
//	a, err := recorded.Open("testdata/histories")
//	f, err := a.Read("add-field+required")
//	res, _ := oracle.Judge(f.History, f.Schemas)
package recorded
