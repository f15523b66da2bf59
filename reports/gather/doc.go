// Package gather turns run directories into the data of a page about several runs: the
// results of runs and chains, the cells of matrices with the state of those that were not
// executed, and the missing shards. Each run counts once, in whichever order the
// directories are given. The package does not judge. It reads what was judged, and an
// unreadable result is on the page as a problem.
package gather
