// Package pairing is about pairs of releases: their order and distance, their names, and
// whether a scenario applies to them.
//
// It turns releases into pairs, and a scenario with a pair into the reasons why the scenario
// does not apply. It never builds or queries a release: facts that only a build knows are ""
// until the caller fills them in.
package pairing
