// Package timeline turns the plan's stages, the history of the servers and the findings
// into the drawing at the top of the page: a column for each stage, a lane for each
// replica, and the findings above them. It computes positions and cuts names to fit. The
// page's template draws the elements.
package timeline
