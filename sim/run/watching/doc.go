// Package watching turns live replicas into recorded observations: a WATCH of every kind
// through every replica, and LISTs in every form. It changes nothing in the store.
package watching
