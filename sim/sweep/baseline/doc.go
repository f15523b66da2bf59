// Package baseline reports which rows of a sweep are not what they were in an earlier one: a team gates
// on those. It reads results, and plays nothing.
package baseline
