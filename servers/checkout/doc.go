// Package checkout reads a checkout of Kubernetes: an author's own change.
//
// It turns a folder into a version, as Kubernetes' own build would call it, and into
// trees that gobuild builds in: what the folder holds now, told apart by its content.
// Of a folder that is a git repository all files count that git does not ignore, those
// too that are not added yet; of any other folder all files. The folder is only read:
// what is built is built in a copy, so that neither go.sum nor git's index changes, and
// nothing that is edited meanwhile gets into a build by half.
//
//	c, err := checkout.Open(ctx, "../kubernetes")
//	build, err := kubeapiserver.FromCheckout(ctx, cache, c, nil)
package checkout
