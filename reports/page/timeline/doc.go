// Package timeline draws the figure at the top of the page: a column for each stage, a lane
// for each replica, and the findings above them. It computes positions and cuts names to
// fit. The page's template draws the elements.
package timeline
