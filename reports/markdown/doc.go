// Package markdown writes report.md for one run or several, and has Markdown helpers for
// other writers. No text of an object or a server has a meaning in Markdown or on a forge,
// and every list is limited so that the report fits into a comment on a pull request.
package markdown
