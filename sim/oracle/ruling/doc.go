// Package ruling turns one answer to one call into an outcome of the stored object, and a value that is no longer
// served as it was into an outcome with its cause, its class and its rule.
//
// It is the part of the oracle that needs no history. Runs, sweeps, preflights and fuzzing call it, so that the same
// evidence has one result in each.
//
// It reads no object, no history and no schema: callers say which releases publish a field, whether the object was
// written, and whether it uses the change.
package ruling
