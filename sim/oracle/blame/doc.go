// Package blame finds the cause of a finding (an unknown field, a feature gate, a protobuf tag, a
// ratchet, a client that did not send back what it had read) and writes the finding: the parts that every
// [result.Finding] has, and the words for steps, answers and copies in its message.
//
// Confidential values leave here as fingerprints only. A [Collector] keeps which values are reported
// already, so that a fact is reported once. The package explains what a check found, and never finds
// anything itself.
package blame
