// Package session plays the objects of a user through an upgrade and back, on a copy.
//
// It turns a [Request] and a [Source] into a [preflight.Result]: it fills a store with the objects
// of the source, starts real servers of both releases on it and on copies of it, has them read and
// write, and gives what they answered to package preflight. It never writes to the source, and
// leaves nothing of the copy.
package session
