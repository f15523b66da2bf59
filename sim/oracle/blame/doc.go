// Package blame finds the cause of a finding: an unknown field, a feature gate, a protobuf
// tag, a ratchet, or a client that did not send back what it had read.
//
// It explains what a check found and never finds anything itself.
package blame
