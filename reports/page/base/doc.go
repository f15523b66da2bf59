// Package base is what all pages with a script share: colours and type for light, dark and
// print, functions that make elements out of untrusted text, a content security policy, and
// packed data. It knows no report, and draws none.
package base
