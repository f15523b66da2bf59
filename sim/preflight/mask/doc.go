// Package mask takes what is the user's out of paths and messages.
//
// It turns a path into one of names of fields alone, and what a server says about an object into
// a sentence without a value or name of the object, by what the server's release publishes. It never
// decides what is found, and keeps nothing of an object.
package mask
