// Package builds is what runs ask of a builder: builds as servers/builder makes them, held
// against the scenario and the plan that use them, which a builder does not know.
//
// It makes nothing itself: it refuses what cannot be meant before anything is built, and
// leaves out what a run can do without.
package builds
