// Package manifests reads objects from manifests: files, folders with all their subfolders, and
// standard input.
//
// It reads YAML as kubectl does, with several documents in a file, and JSON. It yields the items
// of lists one by one, in the order in which a server can create them, and else in the order
// of the files. What is no Kubernetes object, or needs another tool first,
// such as a Helm template, is skipped and named in the coverage. What cannot be read at all is
// an error: all such problems are returned at once.
//
// An object without a namespace keeps none, and one that the files have twice is yielded twice:
// the package does not know which kinds are namespaced.
//
//	source := manifests.Source{Paths: []string{"deploy/"}}
//	coverage, err := source.Each(ctx, func(o objects.Object) error { ... })
package manifests
