// Package typedclient builds and runs the program with the typed clients of a release.
//
// It turns a release of Kubernetes, v1.36.3, into a program that is built from
// that release's own client-go (see Get), and a program into answers (see
// Start): what an object is after a typed client has decoded and encoded it,
// which patch such a client computes from a difference, what its apply
// configurations send. These are the release's Go types at work, not what its
// OpenAPI says of them: whether an explicit zero, an empty list or a null stays
// depends on tags that no schema publishes.
//
// What the program does with a request is package program. A server that brings
// its clients along is such a program itself; then there is nothing to build.
//
// The program never talks to a server: it has neither network nor files. What it
// cannot do with a request it says, in an *AnswerError; only a program that ends
// by itself is an *ExitError. Nothing here defaults, converts or validates, and
// nothing is retried.
//
//	build, err := typedclient.Get(ctx, cache, "v1.36.3", nil)
//	program, err := typedclient.Start(build, "typed-client.log")
//	defer program.Close()
//	body, err = program.Carry(ctx, typedclient.CarryRequest{Kind: pod, Body: body})
//
// # Frames
//
// Both directions carry frames: an identity, the length of the rest, and parts,
// each after its length; lengths and identities have four bytes, big end first.
// A request's parts are a JSON object that says what is wanted, and the bodies
// it is about. An answer has the request's identity and two parts: an error's
// text, empty for none, and a body. Answers come in any order. The program's
// first frame has identity 0; its body names the release and its kinds. A frame
// of more than 64 MiB is skipped and refused.
package typedclient
