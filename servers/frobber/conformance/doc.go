// Package conformance proves that the Frobber API server is a real one. It holds
// tests alone:
//
//   - the real kubectl works against it;
//   - it answers a sequence of requests as a kube-apiserver does whose kind has a
//     like shape;
//   - the server of a release, cut down to what there was then, and today's
//     server set to that release give equal bytes.
//
// It turns requests into answers to compare, and never reaches into a server: it
// knows what any client knows, and what lies in the store.
package conformance
