// Package examples reads, from the source of a release of Kubernetes, one small object of each
// kind that its servers take: those with which the release's own test of stored paths
// creates each resource.
package examples
