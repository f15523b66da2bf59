// Package fate turns a finding of the oracle into what happened to a difference between two
// releases, and says which value of an object a finding is about.
//
// It is the one place where the words of findings become those of sweeps. It judges nothing
// again: a state, a cause and who acted decide the fate.
package fate
