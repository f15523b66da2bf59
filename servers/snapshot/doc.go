// Package snapshot reads the newest values of a Kubernetes cluster out of a file of its etcd:
// a file of etcdctl snapshot save, a copy of member/snap/db, or either with gzip or zip.
//
// Open reads the source once, read-only, into a private copy in a scratch directory, verifies
// the copy, and indexes it; Values streams what the cluster stored, in key order. The source is
// never opened for writing, and Digest is its SHA-256. An error names the file, what is wrong
// with it, and what to do about it.
//
//	s, err := snapshot.Open(ctx, "snapshot.db", scratch)
//	if err != nil { ... }
//	defer s.Close() // removes the private copy
//	if err := s.Select(""); err != nil { ... } // finds /registry, or OpenShift's prefixes
//	err = s.Values(ctx, func(key string, value []byte, modRevision int64) error { ... })
//
// The package reads the revisions in the bucket "key" with bbolt and with the encoding of
// etcd's package mvcc. It starts no etcd, and restores nothing with etcdutl: a restore writes
// every value again, panics on a file that is not a database, and its etcd would expire leases,
// and so delete keys that the snapshot has. The index has one key name and one revision for
// each key that exists; values stay on disk until Values reads them.
//
// bbolt maps the file into memory and follows page numbers without a check of their bounds. On
// a damaged file that is a memory fault, which no caller can recover from. bbolt's own check,
// Tx.Check, has the same problem: for a file of etcd on Linux it starts a goroutine that panics
// or faults by itself, and a wrong page count makes it use all memory. So the package first
// reads every page by itself, within bounds, and checks what bbolt's check does: page numbers,
// page types, sizes, one reference for each page, the order of keys. bbolt opens only what
// passes. Tests hold the two checks against each other.
//
// A key whose lease has expired exists until etcd removes it: the package returns it. Keys
// outside the selected prefixes, such as the credentials that k3s keeps under /bootstrap, are
// indexed by name, and their values are not decoded.
//
// Values that a kube-apiserver encrypted are read with the keys of its --encryption-provider-config
// file ([LoadKeys], [Keys.Decrypt]), by the transformers of k8s.io/apiserver: aescbc, aesgcm, secretbox
// and identity. A value of a KMS plugin, or of a key that the file does not have, is not an error: it is
// [MissingKeys], which names the provider and the key. Any key of the file reads any value that names it:
// an old key is often listed for fewer resources than it has encrypted. Keys stay in memory. No error, no
// String and no format verb shows them.
package snapshot
