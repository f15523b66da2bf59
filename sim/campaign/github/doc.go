// Package github turns a matrix into the jobs of a GitHub workflow.
//
// It turns a [campaign.Layout] into the entries of a strategy.matrix: a job for each pair, or
// for each part of a pair. It never executes a cell, and prints nothing.
package github
