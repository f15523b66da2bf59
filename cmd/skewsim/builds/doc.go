// Package builds has the commands that manage the cache of builds: get, list, rm and prune.
//
// It turns their flags into calls of servers/builder and servers/gobuild, and what these
// return into rows. It decides neither how a build is made nor which build is unused.
package builds
