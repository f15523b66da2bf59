// Package act turns the steps of a plan that send requests into calls of old, new and
// dynamic clients: operations, dry runs, and the steps that prepare or rewrite a store. It
// records the answers, and never judges them.
package act
