// Package statuscode says what the code of an HTTP answer tells of the object that was asked about: a decision, that
// the server is busy, or nothing.
//
// It turns a code into one of these. It reads no body, knows no request and judges nothing: what is played,
// tried and read anew in a history goes by the same table.
package statuscode
