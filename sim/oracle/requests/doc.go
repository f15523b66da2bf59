// Package requests determines what a call asks for: the values that it sends, the paths
// that it names, and the effect of a JSON patch.
//
// It does not look at the outcome of the call: the answer counts only where the request alone
// does not show what was sent.
package requests
