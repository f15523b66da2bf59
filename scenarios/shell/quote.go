package shell

import (
	"regexp"
	"strings"
)

// plainWord is a word in which a shell replaces nothing.
var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// Quote returns a text as one word of a POSIX shell.
func Quote(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
