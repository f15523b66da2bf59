// Package decoding judges whether every release can read what is stored: the check
// everything-decodes, by GET, LIST, WATCH, a server's start, a scratch store and a dry-run delete.
//
// It never judges which values an answer shows.
package decoding
