package mask

import (
	"regexp"
	"strings"
)

// gaveUp matches the lines with which a server ends itself: a crash, a hook, or its command's error.
var gaveUp = regexp.MustCompile(`^(panic|fatal error|[Ee]rror): |^PostStartHook "`)

// LastWords returns with which of the last lines of its log a server gave up, without anything that may be a
// value: no object is known whose values it quotes. It returns "" if no line says so.
func LastWords(tail []string) string {
	for _, line := range tail {
		if gaveUp.MatchString(line) {
			return lettersAlone((*Fields)(nil).Message(line, nil))
		}
	}
	return ""
}

// lettersAlone returns a text without words that have anything but letters, hyphens and slashes.
func lettersAlone(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		plain := strings.Trim(word, `.,:;()"`)
		if strings.ContainsFunc(plain, func(r rune) bool { return r != '-' && r != '/' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }) {
			words[i] = hidden
		}
	}
	return strings.Join(words, " ")
}
