// Package markdown turns a run, or several, into report.md, and helps other writers to
// write Markdown. No text of an object or a server has a meaning in Markdown or on a forge,
// and every list is limited so that the report fits into a comment on a pull request.
package markdown
