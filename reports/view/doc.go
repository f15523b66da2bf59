// Package view turns a judged history into what all writers of reports read: the Run
// without confidential values, findings in groups and in order, expectations as in the
// scenario, addresses within report.html, the command that repeats the run, and texts of
// servers as inert characters. It writes no format, and decides nothing that the oracle has
// not decided.
package view
