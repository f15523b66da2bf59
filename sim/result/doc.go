// Package result is what a run means: verdict, findings, checks, and the
// ledger of every copy, as plain data with a documented, versioned JSON form.
//
// The oracle fills it, writers only read it. It holds no object content that a
// reader of a report must not see: values of Secrets are fingerprints already.
package result
