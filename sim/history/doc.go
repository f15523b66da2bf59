// Package history is the record of a run: every request, answer, stored change and server
// event, as JSON lines written during the run.
//
// It turns a run into a self-contained file, and that file back into a History. Bodies are
// stored once, under their digest. It never interprets a record: package oracle does.
//
// The history contains objects unredacted, Secrets too: its file has mode 0600 and is not for
// publishing.
package history
