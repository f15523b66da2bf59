// Package limits says how much of a run happens at once, and how long to wait before a
// request is repeated. It knows nothing of servers or plans.
package limits
