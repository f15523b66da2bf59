// Package hints reads values and objects that neither the published schema of a release nor its
// source states.
//
// A hint names a path of a kind with a value that hand-written validation accepts, or treats
// differently from one release to the next; the object around the value, if the value needs
// one; and the feature gates or the minor release that change how servers treat the value. The
// hints are data, one file for each component: the package knows no kind.
package hints
