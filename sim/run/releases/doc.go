// Package releases looks up facts about both releases: the version and path of a kind, the
// owner of an object, and the types of a client. It never asks a server.
package releases
