// Package identity names the rows and the objects of a sweep, so that two sweeps of the same releases
// name them alike.
//
// A row's name depends on its difference alone, and an object's on what distinguishes it from the
// others. What part of the rows one of several machines sweeps depends on the names.
package identity
