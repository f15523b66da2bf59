// Package kubectl builds the kubectl of a release.
//
// It turns a version into an executable, built from the release's Go module and
// cached as servers are (see Get). It never runs one: whoever does gives it a
// HOME and a KUBECONFIG of its own.
package kubectl
