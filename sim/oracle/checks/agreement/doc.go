// Package agreement judges whether two releases behave the same: the checks rule-2, rule-6
// and emulates.
//
// It never asks what other checks report: Judge removes what they have reported before.
package agreement
