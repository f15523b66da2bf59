// Package machine measures the memory that a process may still use, on this machine and in
// its control groups, the disk space, and what the process and its children have used. It makes no
// decision.
package machine
