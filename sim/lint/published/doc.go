// Package published gets what an API server publishes of its fields, and lints it.
//
// It turns the name of a release into a [lint.Server], by starting the release on a store of
// its own and asking it, or the name of a file or folder, by reading OpenAPI v3 documents.
// [Source.Lint] compares it with an earlier release. The package has no rules: package lint
// has them.
package published
