// Package kubeapiserver starts kube-apiservers of any release over a shared
// store, and makes the builds to start.
//
// It turns a version into a Build (from the Kubernetes Go module, see Get), an
// executable somebody built into a Build (see FromPath), and a Build into a
// ready server on the loopback address (see Runtime). It never compacts the
// store, never lets servers proxy to one another, never lets anybody in without
// the run's own token, and never changes how the API behaves beyond the options
// it is given: of the flags it adds, each says in flags.go what it is for.
//
//	runtime, err := kubeapiserver.New(kubeapiserver.Config{Dir: dir, LogDir: logs})
//	if err != nil { ... }
//	defer runtime.Close()
//	build, err := kubeapiserver.Get(ctx, cache, "v1.36.3", nil)
//	a, err := runtime.Start(ctx, build, servers.Placement{Name: "a", Store: store.Store()})
package kubeapiserver
