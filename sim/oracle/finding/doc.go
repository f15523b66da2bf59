// Package finding turns what a check found into a result.Finding: the parts that every finding
// has, and the words for steps, answers and copies in its message. Confidential values leave
// here as fingerprints only. It also says which check reports a call that failed, and which
// values are reported already, so that a fact is reported once.
//
// It never decides whether there is a finding.
package finding
