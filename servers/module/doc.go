// Package module fetches the Go modules in which Kubernetes is published.
//
// It turns a release of Kubernetes, v1.36.3, into what a generated module needs
// to be built against it: that the module is there, and its go.mod. A release
// that cannot be fetched is an error that names some that can. It never builds
// anything, and needs no network for what was fetched before.
//
//	source := module.Source{Path: "k8s.io/client-go", Staged: true}
//	download, err := source.Fetch(ctx, tool, "v1.36.3") // v0.36.3 of client-go
package module
