// Package fuzz turns what two releases publish of a kind into random objects,
// sends each on a round trip through every served version of both releases on one
// shared store, and judges whether it came back as it was acknowledged.
//
// An object is made of its seed and its number alone, and mended by what a server
// says of it, so that the same seed gives the same objects in whichever order they
// are sent. The package plays no roll-out, changes nothing of an object between a
// read and a write, and knows no kind by name.
package fuzz
