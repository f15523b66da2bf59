// Package roundtrip sends one object through a pair of running releases, and reports
// acknowledged values that do not come back. A Traveller creates the object in one version
// through one release, reads it in every version through both, writes it back there
// unchanged, and reads it again where it was created. An acknowledged value that does not
// come back is a Fact, which is judged by what each release publishes. The package
// generates no object, counts nothing over several objects, and changes no object between a
// read and a write.
package roundtrip
