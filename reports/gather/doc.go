// Package gather turns run directories into what a page of several runs draws: the results
// of runs and chains, the cells of matrices with what is known of those that were not
// played, and the shards that nobody gave. Each run counts once, in whichever order the
// directories are given.
//
// It does not judge. It reads what was judged, and a result that cannot be read has its
// place on the page as a problem.
package gather
