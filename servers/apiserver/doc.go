// Package apiserver starts API servers on a shared store, with the flags and files that
// kube-apiserver and the reference server have in common.
//
// It turns a Component (which flags its servers need besides those of all, and
// which may not be given) and a Build into a ready server on the loopback
// address. It holds the port, makes the identity that replicas share, asks a
// starting server whether it is ready and which release it is, and says why one
// ended. It never compacts the store and never lets anybody in without the run's
// own token. What a component is, and how its builds are made, the packages
// beside it know: kubeapiserver and frobberapiserver.
//
//	runtime, err := apiserver.New(apiserver.Config{
//		Components: []apiserver.Component{kubeapiserver.Component(), frobberapiserver.Component()},
//		Dir:        dir, LogDir: logs,
//	})
//	if err != nil { ... }
//	defer runtime.Close()
//	a, err := runtime.Start(ctx, build, servers.Placement{Name: "a", Store: store.Store()})
package apiserver
