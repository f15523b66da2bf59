// Package reports writes runs, chains, merged runs, sweeps and preflights in every report format.
// It is the entrance to the packages below it, one for each of these. Each function names the file or the
// format that it writes.
//
// Writers only read. The oracle has decided every state, difference and sentence, and they
// are in the Run; no writer judges anything again, and none needs a server or a store. The
// content of objects is untrusted: each writer escapes it for its own format, and shows
// values of Secrets only as fingerprints.
//
//	err := reports.HTML(file, run)
package reports
