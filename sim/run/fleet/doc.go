// Package fleet turns the plan's roll-outs into running servers: it starts, replaces and
// stops replicas, starts servers before their stage, and denies each the store outside of
// its stages. It never sends them a request.
package fleet
