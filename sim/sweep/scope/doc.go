// Package scope says which part of the comparison of two releases a sweep plays.
//
// A [Scope] has what the user restricts a sweep to, and the whole comparison besides: what an
// object shows may be explained by a difference that another shard plays. Everything that
// follows the comparison gets this one value.
package scope
