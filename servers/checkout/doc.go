// Package checkout reads a Kubernetes checkout, so that authors can test their own change.
//
// It turns a folder into a version, the one that Kubernetes' own build would use, and into
// trees that gobuild builds in, identified by their content. In a git repository it uses all
// files that git does not ignore, including untracked ones; elsewhere it uses all files. It
// never writes to the folder: the build runs in a copy, so that neither go.sum nor git's index
// changes, and an edit during the build cannot get into it partly.
//
//	c, err := checkout.Open(ctx, "../kubernetes")
//	build, err := kubeapiserver.FromCheckout(ctx, cache, c, nil)
package checkout
