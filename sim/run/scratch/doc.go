// Package scratch has each release read, on scratch stores, the stored values that the
// release never showed during the run. It never touches the shared store.
package scratch
