// Package trace turns a history into timelines, one for each copy: its calls, observations,
// stored versions, creation and deletion.
//
// It also computes the facts that checks share, all of them before any check judges ([Gather]): what a call
// asks for, acknowledged values, the effect of each call, comparable calls, stored values that a release
// cannot read, and which release serves and publishes what. It records and never judges: no finding, cause
// or rule is decided here, and checks add nothing to the evidence.
package trace
