// Package calls judges how calls are answered: the checks rule-1, rule-3, rule-5, answers,
// installs and stays-writable, and servers that panic.
//
// It never judges the values in an answer. A call that several checks could report is reported by
// one of them.
package calls
