// Package intake fills the copy that a preflight plays with the objects of a user.
//
// It turns an etcd snapshot, or the objects of a cluster, into values under the keys where a
// kube-apiserver stores them. The objects of manifests, which no server has stored yet, it has a server
// create, and takes what that stored. It leaves out, or changes, what would make a server of the
// copy call anything outside of it. It never writes to the source.
package intake
