// Package page writes report.html for a run, as one file that needs no network, and
// index.html for several runs. The template, the styles and the scripts are its assets.
// Only the page's own scripts and styles may run: a content security policy names them by
// their hashes, and no text of an object becomes markup.
package page
