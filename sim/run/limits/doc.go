// Package limits defines how much of a run happens at once, and how long to wait before a
// request is repeated. It knows nothing about servers or plans.
package limits
