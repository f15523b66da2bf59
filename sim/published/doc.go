// Package published reads what a release publishes: discovery, OpenAPI v3, feature gates and
// what the source of the release says beside.
//
// It turns a running server, a folder of OpenAPI documents, or manifests of custom resource
// definitions into a [Release]. It compares nothing and judges nothing.
package published
