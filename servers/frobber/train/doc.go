// Package train defines the release train of the Frobber API server: each release is the
// previous one plus one edit of Kubernetes' guide "Changing the API".
//
// Each edit has a file, to be read next to the guide: the structs with the new field, its
// default, conversion, validation and strategy. Its mutants are in a second file: the same edit
// with one of the mistakes that the guide warns of, each with a quotation of the guide.
//
// A new edit is a new file, and a line in stops. It embeds the structs of the release before,
// and calls their defaults; where a field is removed, or moves, it lists the struct again. An
// edit only changes its argument, with functions such as serve, gate and rule; everything else
// stays as in the release before.
//
// The package makes releases and serves none.
package train
