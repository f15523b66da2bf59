// Package crd makes releases of manifests: definitions of custom resources that
// are installed on a kube-apiserver, in a folder or in that of a Go module.
//
// It turns a folder into a Build (see Read, which tells everything wrong with
// its files, with their lines, before any server starts; and Make), and starts
// such builds: a Runtime starts the kube-apiserver through another runtime,
// applies the manifests as `kubectl apply --server-side --force-conflicts` does,
// and waits until what they define is served. What the server refuses to change
// is no failed start: what was there stays, as it does for an operator, and the
// process tells of it. Conversion webhooks are served here too, by rules. It never
// deletes a definition: one that newer manifests brought stays after a rollback.
//
//	set, err := crd.Read("manifests/v1", os.DirFS("manifests/v1"))
//	if err != nil { ... } // every problem, with file and line
//	build, err := crd.Make(ref, set, server)
//	runtime := crd.NewRuntime(apiservers, dir)
//	defer runtime.Close()
//	process, err := runtime.Start(ctx, build, placement)
package crd
