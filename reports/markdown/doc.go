// Package markdown turns a run, or several, into report.md, and gives other writers the
// means to write Markdown.
//
// No text of an object or a server means anything to a Markdown reader or a forge, and no
// list exceeds the space that a comment on a pull request leaves it.
package markdown
