// Package gatetags reads, from the Go source of a release's API types, which feature
// gates their fields are behind. Kubernetes writes a tag above such a field,
// +featureGate=Name, and OpenAPI does not publish tags.
package gatetags
