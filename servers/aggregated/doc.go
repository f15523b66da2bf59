// Package aggregated runs API servers that lean on a kube-apiserver, of any Go module,
// as replicas of one control plane.
//
// It turns a module, and what an adapter's file says of it, into a build, and starts
// that with a kube-apiserver of its own on the same store. The two are one replica:
// clients talk to the kube-apiserver, whose aggregator reaches that replica's server and
// no other; the server asks its own kube-apiserver whom to let in, and which namespaces
// there are. Either ends with the other.
//
//	adapter, err := aggregated.Read("adapter.yaml", data)
//	build, err := aggregated.Get(ctx, cache, ref, adapter, core, nil)
//	runtime := aggregated.NewRuntime(below, dir)
//	process, err := runtime.Start(ctx, build, placement)
package aggregated
