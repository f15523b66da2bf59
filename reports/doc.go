// Package reports turns a finished run into what people and programs read:
// report.html, result.json, ledger.json, junit.xml, report.md, the summary on the
// terminal and answers to a production readiness review; and several runs into one
// page, merged.json and junit.xml.
//
// Writers only read. Every state, difference and sentence was decided by the
// oracle and lies in the Run; nothing is judged again here, and no server or
// store is needed. What an object holds is hostile: each writer escapes it for
// its own format, and shows nothing of a Secret but fingerprints.
//
//	err := reports.HTML(file, run)
package reports
