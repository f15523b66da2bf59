// Package pairing holds pairs of releases: their order and distance, their names, and
// whether a scenario applies to them.
//
// It turns releases into pairs, and a scenario with a pair into the reasons why it does not
// apply. It never builds or asks a release: what only a build knows is "" until the caller
// fills it in.
package pairing
