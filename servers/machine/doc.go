// Package machine says what this machine has left: the memory that a process may still
// take, of the machine and of its control groups. It decides nothing by it.
package machine
