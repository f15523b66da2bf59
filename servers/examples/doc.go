// Package examples reads one small object of each kind from the source of a Kubernetes
// release: the objects of the release's own storage path test.
package examples
