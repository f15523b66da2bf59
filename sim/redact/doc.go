// Package redact turns objects and values that belong to Secrets into forms
// that may be shown: each secret value becomes a fingerprint.
//
// A fingerprint says whether two values of one run are equal and nothing else:
// the salt lies in the history, which is as confidential as the cluster that
// was played, and never in a report. The package reads no other kind's
// content, changes nothing in place, and knows no field beyond those in which
// a Secret holds its values.
//
//	safe := redact.Redact(secret, salt) // data: {password: "sha256:1f3d5b79a0c2"}
package redact
