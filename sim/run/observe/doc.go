// Package observe turns what live replicas and the store show into records of a run's history: a
// WATCH of every kind through every replica, LISTs in every form, the store's changes, and what each
// release reads, on scratch stores, of the stored values that it never showed during the run.
//
// It remembers which releases have shown which stored values and which copies are alike, so that nothing
// is asked twice. It changes nothing in the shared store, and never decides what to do next.
package observe
