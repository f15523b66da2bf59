// Package cluster reads the stored objects that a user brings along, from a cluster, from
// manifests, or from a file in which another source was saved.
//
// A [Source] yields each [Object] once, and returns its [Coverage]: what the source is, what such a source
// never shows, and what was skipped, each with the reason. The package changes no object.
//
// [Connect] reads a kubeconfig file as kubectl does, with its certificates, tokens and exec plugins. Every
// request to the server is a GET: a transport below all other code refuses any other method, and
// connections that upgrade. A resource that the server does not let the caller read, or cannot list, is
// named in the coverage and is no error. Secrets are listed on request only.
//
// [Manifests] are files, folders with all their subfolders, and standard input, read as kubectl does: YAML
// with several documents in a file, and JSON. Lists are yielded item by item, in the order in which a
// server can create them. What is no Kubernetes object, or needs another tool first, such as a Helm
// template, is skipped and named in the coverage. An object without a namespace keeps none: the package
// does not know which kinds are namespaced.
//
// [Save] keeps what a source yielded in a gzip-compressed file of JSON Lines, whole or not at all, readable
// for its owner alone, because objects can hold confidential values; [OpenSaved] reads it again. A file that
// was cut off is an error, because its header contains the number of objects.
//
//	c, err := cluster.Connect(ctx, cluster.Options{Kubeconfig: "prod.yaml"})
//	coverage, err := c.Each(ctx, func(o cluster.Object) error { ... })
package cluster
