// Package storage reads what etcd holds, without a schema: the envelope around
// a value, its encoding, group, version and kind, and its content by the
// numbers of its fields.
//
// It turns stored bytes into an Envelope, and into a Content. It gives no field
// a name, for only a server of the right release can: that is what skewsim is
// for. It never fails, whatever the bytes are, and takes no more memory than a
// value of the largest size that servers store.
package storage
