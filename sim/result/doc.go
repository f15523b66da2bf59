// Package result is the meaning of a run: verdict, findings, checks, and the ledger of every
// copy, as plain data with a documented, versioned JSON form.
//
// The oracle fills it, writers only read it. It never contains object content that a reader of
// a report must not see: fingerprints have replaced the values of Secrets.
package result
