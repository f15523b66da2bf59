// Package play plays the objects of a user through an upgrade and back, on a copy.
//
// It turns a [Request] and a [Source] into a [preflight.Result]: it fills a store with the objects of the
// source, starts real servers of both releases on it and on copies of it, has them read and write, and
// gives what they answered to package preflight. A snapshot, or the objects of a cluster, become values
// under the keys where a kube-apiserver stores them; the objects of manifests, which no server has stored
// yet, a server creates. What would make a server of the copy call anything outside of it is left out or
// changed. The package never writes to the source, and leaves nothing of the copy.
package play
