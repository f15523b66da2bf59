// Package agreement judges whether two releases do the same: the checks rule-2 and rule-6, which
// compare a call, and what is served, with the state before the upgrade, and emulates, which
// compares a server that emulates an earlier release with that release.
//
// It never asks what other checks report: Judge removes what they have reported before.
package agreement
