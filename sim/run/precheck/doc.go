// Package precheck turns a plan and two builds into what the builds serve and accept, and
// into errors that name what is wrong in the scenario's files. It asks servers on scratch
// stores before the roll-out, and never touches the shared store.
package precheck
