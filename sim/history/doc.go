// Package history is the record of a run: every request, answer, stored change and server
// event, as JSON lines written during the run, in frames of zstd.
//
// It turns a run into a self-contained file, and that file back into a History. Bodies are
// stored once, under their digest. It never interprets a record: package oracle does.
//
// A frame has whole lines, and each record ends a block: what the operating system was given is
// read after a kill, and a damaged byte costs lines of its own frame only. Reading decodes the file
// once, from its first frame to its last. Bodies, which are asked for by digest and in any order,
// then stand in a temporary file, or in memory if no disk has room. A file whose frames hold out of all
// proportion to its size, or lie one within another, is an error.
//
// The history contains objects unredacted, Secrets too: its file has mode 0600 and is not for
// publishing.
package history
