// Package certs makes the throw-away certificates of one run.
//
// It turns a directory into a place that holds a certificate authority and
// the key pairs it signed: keys with mode 0600, ECDSA P-256, good for a week. It
// never writes the authority's own key to disk, so that nobody can sign with it
// once the run is over, and it never vouches for anything but the loopback
// address.
//
//	ca, err := certs.New(dir, "skewsim-etcd")
//	pair, err := ca.Issue("server", certs.Server)
package certs
