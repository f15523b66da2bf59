// Package calls judges how calls are answered: the checks rule-1, rule-3, rule-5, answers,
// installs and stays-writable, and servers that panic.
//
// It never judges the values in an answer. Of a call that several checks could report, one does.
package calls
