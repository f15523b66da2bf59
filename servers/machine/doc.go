// Package machine measures the memory that a process may still use, on this machine and in
// its control groups, and the disk space. It makes no decision.
package machine
