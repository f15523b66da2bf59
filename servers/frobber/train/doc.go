// Package train is the release train of the Frobber API server: each release is
// the one before and one edit of Kubernetes' guide "Changing the API".
//
// Each edit has a file, to be read beside the guide: the structs with the new
// field, its default, conversion, validation and strategy. Its twins lie beside
// it: the same edit with one of the mistakes that the guide warns of, each with
// the guide's own words for it.
//
// A further edit is a further file, and a line in stops. It embeds the structs of
// the release before, and calls their defaults; where a field goes, or moves, it
// lists the struct anew. All it changes is its argument: serve, gate and rule
// say what, and what it does not mention stays as the release before had it.
//
// The package makes releases and serves none.
package train
