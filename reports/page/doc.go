// Package page turns a run into report.html, one file that opens from disk and needs no
// network, and several runs into index.html. The template, the styles and the scripts
// are its assets.
//
// Only a script and a style of its own may run in the page: a content security policy
// names them by their hashes, and nothing that an object holds becomes markup.
package page
