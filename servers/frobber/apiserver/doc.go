// Package apiserver serves one release of the Frobber API, on k8s.io/apiserver.
//
// It turns a release.Release into a server like kube-apiserver: the library's
// own codecs, registry and etcd3 store over the release's Go types, with what a
// kind's authors write for themselves in Kubernetes: a scheme, a strategy, a
// status and a scale subresource, a table. It knows no release and no edit; what
// sets one release apart from another is in package train.
//
// It calls no API server, keeps nothing but Frobbers in the store, and judges
// nothing.
package apiserver
