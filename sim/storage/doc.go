// Package storage reads what etcd holds, without a schema: the envelope around
// a value, its encoding, group, version and kind.
//
// It turns stored bytes into an Envelope. It never decodes the object itself,
// since only a server of the right release can: that is what skewsim is for.
package storage
