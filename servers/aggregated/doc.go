// Package aggregated runs aggregated API servers, of any Go module, as replicas of one control
// plane.
//
// It turns a module and its adapter file into a build, and starts the server with its own
// kube-apiserver on the same store. The two are one replica: clients talk to the
// kube-apiserver, whose aggregator reaches only that replica's server; the server uses its
// kube-apiserver for authentication, authorization and namespaces. When one of the two ends,
// the other ends too.
//
//	adapter, err := aggregated.Read("adapter.yaml", data)
//	build, err := aggregated.Get(ctx, cache, ref, adapter, core, nil)
//	runtime := aggregated.NewRuntime(below, dir)
//	process, err := runtime.Start(ctx, build, placement)
package aggregated
