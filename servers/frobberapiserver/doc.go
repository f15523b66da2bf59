// Package frobberapiserver finds the reference server, frobber-apiserver, and describes how
// package apiserver starts a release of it.
//
// It turns a release of the train (1.1, or 1.1+required for a mutant) into a Build. There is
// one binary for all releases, so a build is identified by the release and the binary's digest.
// The package builds nothing: the binary is in the directory of skewsim's own, on PATH, or
// where the caller of a [Finder] makes it.
//
//	build, err := frobberapiserver.Finder{}.Get(ctx, "1.1+required")
//	if err != nil { ... }
//	runtime, err := apiserver.New(apiserver.Config{Components: []apiserver.Component{frobberapiserver.Component()}, ...})
package frobberapiserver
