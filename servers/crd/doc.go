// Package crd makes builds from folders of CustomResourceDefinitions, and installs the
// definitions on a kube-apiserver.
//
// It turns a folder into a Build and starts such builds. Read reports all errors in its files,
// with their lines, before any server starts; Make makes the build. A Runtime starts the
// kube-apiserver through another runtime, applies the manifests as `kubectl apply --server-side
// --force-conflicts` does, and waits until the resources are served. If the server refuses a
// change, the start does not fail: the existing definition stays, as it does for an operator,
// and the process reports it. The package also serves conversion webhooks, configured by rules.
// It never deletes a definition: a definition that newer manifests added stays after a
// rollback.
//
//	set, err := crd.Read("manifests/v1", os.DirFS("manifests/v1"))
//	if err != nil { ... } // every problem, with file and line
//	build, err := crd.Make(ref, set, server)
//	runtime := crd.NewRuntime(apiservers, dir)
//	defer runtime.Close()
//	process, err := runtime.Start(ctx, build, placement)
package crd
