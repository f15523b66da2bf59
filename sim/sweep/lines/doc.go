// Package lines writes the lines of the scenarios that a sweep plays: what is done to copies of one
// object, by which client, through which release and at which stage. Which of them an object needs, the
// sweep decides.
package lines
