// Package examples reads valid objects of each kind from the source of a Kubernetes release: the
// objects of the release's own storage path test, and the manifests that its tests create.
package examples
