// Package page turns a run into report.html, one file that opens from disk and needs no
// network, and several runs into index.html. The template, the styles and the scripts are
// its assets. Only the page's own scripts and styles may run: a content security policy
// names them by their hashes, and no text of an object becomes markup.
package page
