// Package cluster reads the objects of a cluster, and cannot change one.
//
// Connect reads a kubeconfig file as kubectl does, with its certificates, tokens and exec
// plugins. Every request to the server is a GET: a transport below all other code refuses any
// other method, and connections that upgrade. Each lists every resource once, in the group's
// preferred version and in chunks. A resource that the server does not let the caller read, or
// cannot list, is named in the coverage and is no error. Secrets are listed on request only.
//
// Rules returns the ClusterRole that a caller needs, and StaticRules one for every cluster.
//
//	c, err := cluster.Connect(ctx, cluster.Options{Kubeconfig: "prod.yaml"})
//	coverage, err := c.Each(ctx, func(o objects.Object) error { ... })
package cluster
