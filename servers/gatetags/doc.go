// Package gatetags reads the feature gates of API fields from the Go source of a release.
// Kubernetes writes a tag above such a field, +featureGate=Name, and OpenAPI does not
// publish tags.
package gatetags
