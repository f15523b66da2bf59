// Package api defines the internal version of the Frobber API, which all served versions
// convert to and from, and which all validation uses.
//
// It can express whatever any version of any release can, so what may be absent
// is a pointer. It is never sent and never stored. What a release knows of it
// is decided by the release's versions (package object), not here.
package api
