// Package pairing orders and names pairs of releases, and reports whether a scenario
// applies to a pair.
//
// It turns releases into pairs, and a scenario with a pair into the reasons why the scenario
// does not apply. It never builds or queries a release: facts that only a build knows are ""
// until the caller fills them in.
package pairing
