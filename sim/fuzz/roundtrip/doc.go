// Package roundtrip turns an object and a pair of running releases into facts: a Traveller
// creates the object in one version through one release, reads it in every version through
// both, writes it back there unchanged, and reads it again where it came from. What was
// acknowledged and does not come back is a Fact, judged by what each release publishes.
//
// It generates no object, counts nothing over many of them, and changes nothing of an object
// between a read and a write.
package roundtrip
