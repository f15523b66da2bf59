// Package api holds the internal form of the Frobber API: the one that every
// served version converts to and from, and that all rules are written in.
//
// It can express whatever any version of any release can, so what may be absent
// is a pointer. It is never sent and never stored. What a release knows of it
// is decided by the release's versions (package object), not here.
package api
