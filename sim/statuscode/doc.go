// Package statuscode tells, by the code of an HTTP answer, whether the server was busy, and whether it may have been
// ending: such an answer decides nothing about the object.
//
// It turns a code into yes or no. It reads no body, knows no request and judges nothing: what is played, what is
// tried and what is read anew in a history go by the same table.
package statuscode
