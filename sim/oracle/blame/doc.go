// Package blame turns something that went wrong into its cause: a field that a release does
// not know, a feature gate, a protobuf tag, a ratchet, a client that did not send back what it
// had read.
//
// It explains what a check found and never finds anything itself.
package blame
