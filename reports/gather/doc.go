// Package gather reads run directories for a page about several runs: results of runs and
// chains, cells of matrices, and missing shards. Each run counts once, in whichever order
// the directories are given. The package does not judge. It reads what was judged, and an
// unreadable result is on the page as a problem.
package gather
