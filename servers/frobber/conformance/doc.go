// Package conformance tests that the Frobber API server behaves like a kube-apiserver. It
// contains only tests:
//
//   - the real kubectl works against it;
//   - it answers a sequence of requests as a kube-apiserver does whose kind has a
//     like shape;
//   - the server of a release, cut down to what there was then, and today's
//     server set to that release give equal bytes.
//
// It turns requests into answers to compare. It uses only the API and the store's content,
// never the internals of a server.
package conformance
