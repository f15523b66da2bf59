// Package aims says which objects each kind of difference between two releases needs: from which
// release, with what, and without what.
package aims
