// Package clients provides the typed clients of a release of the Frobber API server.
//
// It turns a release into what package program needs to serve its clients: a
// scheme of the release's own Go types, codecs that convert and default nothing,
// apply configurations and a schema. Generators would write these for each
// release; here they are derived from its structs.
//
// It knows a release's types and nothing of its rules: it validates nothing, and
// talks to no server.
package clients
