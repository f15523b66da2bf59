// Package fleet turns the plan's roll-outs into running servers: it determines the options of
// each release's servers, starts, replaces and stops replicas, starts servers before their stage, and
// denies each the store outside of its stages.
//
// It also answers what is known of both releases without asking a server: the version and path of a kind,
// the owner of an object, the types of a client. A refused option is reported with its line in the
// scenario. The package never sends a replica a request of the plan.
package fleet
