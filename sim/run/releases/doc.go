// Package releases turns a plan and what both releases report about themselves into answers
// to questions: in which version and under which path a release is asked for a copy, whose
// copy an object is, which types a client has. It never asks a server.
package releases
