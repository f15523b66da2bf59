// Package published starts a release, or reads its OpenAPI files, and lints the field
// lifecycles that it publishes.
//
// It turns the name of a release into a [lint.Server], by starting the release on a store of
// its own and asking it, or the name of a file or folder, by reading OpenAPI v3 documents.
// [Source.Lint] compares it with an earlier release. The package has no rules: package lint
// has them.
package published
