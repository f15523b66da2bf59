// Package fleet turns the plan's roll-outs into running servers: it starts, replaces and
// stops replicas, executes servers ahead of their stage, and keeps each from the store
// outside of its stages. It never sends them a request.
package fleet
