// Package reading has one server read everything that a store holds, and compares what two
// servers, or one server at two times, make of it.
//
// It turns stored values into [Record]s, one for each key, in the order of keys: what the server
// answers to a GET, and to dry runs of writes. [Take] writes them to a file, so that a hundred
// thousand objects need little memory; [Compare] walks two such files side by side. It stores
// nothing, and judges nothing.
package reading
