// Package builder turns build references of every kind into builds: releases, executables,
// checkouts, container images, Go modules and CRD folders. It also makes the typed clients
// of a release, reads what a release's source says of its types, and starts the runtime of
// every kind of build.
//
// A [Builder] makes each build once and one at a time, since each takes all cores, however
// many runs ask for it. What fails is tried again until [Builder.GiveUp]. It knows no
// scenario, no plan and no terminal: what depends on a plan is up to its callers, and how
// far a build is goes to [Progress].
package builder
