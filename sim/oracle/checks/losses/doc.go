// Package losses judges whether acknowledged values stay: the checks nothing-lost, rule-4 and
// resurrection, and the lifecycle rules for values behind a disabled feature gate.
//
// It never judges whether a call succeeds, or whether two releases agree.
package losses
