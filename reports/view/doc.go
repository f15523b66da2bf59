// Package view turns a judged history into the Run that all report writers read, without
// confidential values. It writes no format, and decides nothing that the oracle has not
// decided.
package view
