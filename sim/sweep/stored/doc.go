// Package stored adds to the rows of a sweep what each release reads of the bytes that the other
// one stores.
//
// No write is played there, and nothing is validated: such a cell exercises no row.
package stored
