// Package redact turns objects and values that are confidential into forms that may be shown:
// each confidential value becomes a fingerprint.
//
// A Policy defines what is confidential: the values of Secrets, always, and the paths that a
// scenario marks. A fingerprint shows whether two values of one run are equal and nothing else:
// the salt is in the history, which is as confidential as the cluster, and never in a report.
// The package changes nothing in place.
//
//	policy := redact.For(map[string][]string{"Gadget": {".spec.token"}})
//	safe := policy.Redact(gadget, salt) // spec: {token: "sha256:1f3d5b79a0c2"}
package redact
