// Package history is what happened in a run: every request, answer, stored
// change and server event, as JSON lines written while the run goes on.
//
// It turns a run into a file that stands alone, and that file back into a
// History. Bodies are stored once, under their digest. It never says what
// anything means: that is package oracle's.
//
// The raw history holds object content as it was, Secrets too: its file has
// mode 0600 and is not for publishing.
package history
