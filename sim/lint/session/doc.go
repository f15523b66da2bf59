// Package session lints the field lifecycles that a release, or a folder of OpenAPI documents,
// publishes.
//
// It turns the name of a release into a [lint.Server], with package published, and
// [Source.Lint] compares it with an earlier release. The package has no rules: package lint has
// them.
package session
