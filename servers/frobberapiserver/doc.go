// Package frobberapiserver finds the reference server, frobber-apiserver, and
// says how package apiserver starts a release of it.
//
// It turns a release of the train (1.1, or 1.1+required for a twin) into a
// Build. The binary is one for all of them, so a build is what the release is
// called and the binary's digest, never the digest alone. It builds nothing: the
// binary lies beside skewsim's own, or on PATH.
//
//	build, err := frobberapiserver.Get(ctx, "1.1+required")
//	if err != nil { ... }
//	runtime, err := apiserver.New(apiserver.Config{Components: []apiserver.Component{frobberapiserver.Component()}, ...})
package frobberapiserver
