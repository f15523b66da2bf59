// Package kubeapiserver builds kube-apiserver of any release, and describes how package
// apiserver starts it.
//
// It turns a version into a Build (from the Kubernetes Go module, see Get, or Prefer
// where another patch will do), an executable somebody built into a Build (see
// FromPath), and says how a runtime starts either (see Component). It never lets servers proxy to one another, and
// never changes how the API behaves beyond the options it is given: of the flags
// it adds, each says in flags.go what it is for.
//
//	build, err := kubeapiserver.Get(ctx, cache, "v1.36.3", nil)
//	if err != nil { ... }
//	runtime, err := apiserver.New(apiserver.Config{Components: []apiserver.Component{kubeapiserver.Component()}, ...})
package kubeapiserver
