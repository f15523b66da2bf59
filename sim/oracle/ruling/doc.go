// Package ruling is what the oracle needs no history for: it turns one answer to one call into an outcome of the
// object that is stored, and a value that is not served as it was into an outcome with its cause, its class and
// its rule. Judging a history, a preflight and fuzzing ask it, so that the same evidence has one result in each.
//
// It knows no object, no journey and no words: whether a value was acknowledged, who wrote it and what is
// expected, those who ask say.
package ruling
