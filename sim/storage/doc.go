// Package storage decodes the values that etcd holds without a schema: envelope, encoding,
// group, version, kind, and fields by number.
//
// It turns stored bytes into an Envelope, and into a Content. It gives no field
// a name, for only a server of the right release can: that is what skewsim is
// for. It never fails, whatever the bytes are, and takes no more memory than a
// value of the largest size that servers store.
package storage
