// Package reports writes a judged run, several runs or a chain in every report format. Each
// function names the file or the format that it writes; the JSON documents are written
// here, the others by the packages below this one.
//
// Writers only read. The oracle has decided every state, difference and sentence, and they
// are in the Run; no writer judges anything again, and none needs a server or a store. The
// content of objects is untrusted: each writer escapes it for its own format, and shows
// values of Secrets only as fingerprints.
//
//	err := reports.HTML(file, run)
package reports
