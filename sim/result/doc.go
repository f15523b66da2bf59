// Package result defines result.json and ledger.json: verdict, findings, checks, and the
// ledger of every copy.
//
// The oracle fills it, writers only read it. It never contains object content that a reader of
// a report must not see: fingerprints have replaced the values of Secrets.
package result
