// Package act turns the steps of a plan that send requests into calls of old, new and
// dynamic clients: operations, dry runs, and what prepares a store or writes it anew. It
// records what was answered, and never judges it.
package act
