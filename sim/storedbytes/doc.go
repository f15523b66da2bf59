// Package storedbytes has each of two releases read what the other one stores, without any
// validation in the way.
//
// It turns the serialized objects in a release's source into stored values: [Fixtures] gives each
// the version and the key that the release stores its kind under. [Read] puts the values into the
// scratch store of a server of each release, and returns for each which release decodes it, and
// which fields only the release that wrote it shows. It writes nothing through a server.
package storedbytes
