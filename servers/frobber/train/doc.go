// Package train is the release train of the Frobber API server: each release is
// the one before and one edit of Kubernetes' guide "Changing the API".
//
// Each edit has a file, to be read beside the guide: the structs with the new
// field, its default, conversion, validation and strategy, and below them the
// twins: the same edit with one of the mistakes that the guide warns of.
//
// The package makes releases and serves none.
package train
