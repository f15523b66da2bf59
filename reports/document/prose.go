package document

import (
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// tame matches a word that has no meaning in Markdown, nor on a forge, which turns @names,
// #numbers and addresses into links, and :words: into pictures. A number with a full stop
// or a bracket behind it would begin a list.
var tame = regexp.MustCompile(`^[("']*\p{L}[\p{L}\p{N}.,;:?+%"'()/-]*$|^\p{N}+(\.\p{N}+)*[,;:]?$|^\p{N}+/\p{N}+\)?[,;:]?$|^\(\p{N}+$|^(\.\.|=|:|!|\?|[^\x00-\x7f])$`)

// codeSpan matches a word that is a complete code span.
var codeSpan = regexp.MustCompile("^\\(?`[^`]+`[.,;:!?)]*$")

// amount is a number at the end of a sentence, or a share: at the start of a line the first would be the
// number of a list.
var amount = regexp.MustCompile(`^\(?\p{N}+(\.\p{N}+)*%?\)?[.,;:]?$`)

func isTame(word string) bool {
	return tame.MatchString(word) && !strings.Contains(word, "://") && !strings.HasPrefix(strings.ToLower(word), "www.") &&
		!strings.HasPrefix(word, "GH-") && strings.Count(word, ":") < 2
}

// codeWithin writes a word as code, without the sentence's punctuation around it. What
// is harmless but for its punctuation, such as the number of a list, is code whole.
func codeWithin(word string) string {
	body := word
	for body != "" && endsSentence(body) {
		body = body[:len(body)-1]
	}
	tail := word[len(body):]
	head := ""
	if rest, ok := strings.CutPrefix(body, "("); ok && (!strings.Contains(rest, ")") || strings.HasPrefix(tail, ")")) {
		head, body = "(", rest
	}
	if body == "" || isTame(body) {
		return CodeSpan(word)
	}
	return head + CodeSpan(body) + tail
}

// endsSentence reports whether a word's last character is the sentence's, and not the
// word's own as in f(x), :smile: and &amp;.
func endsSentence(word string) bool {
	within := word[:len(word)-1]
	switch word[len(word)-1] {
	case '.', ',', '!', '?':
		return true
	case ';':
		return !strings.Contains(within, "&")
	case ':':
		return !strings.Contains(within, ":")
	case ')':
		within = strings.TrimPrefix(within, "(")
		return strings.Count(within, ")") >= strings.Count(within, "(")
	}
	return false
}

// CodeSpan writes a code span, fenced by more backticks than the text has in a row.
func CodeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// ProseOf writes a sentence: words that could mean anything to Markdown become code, where
// nothing does. The sentence's punctuation around them does not; nor is code made code once more.
func ProseOf(sentence string) string {
	words := strings.Split(term.Visible(sentence), " ")
	for i, word := range words {
		if word == "" || isTame(word) || codeSpan.MatchString(word) || i > 0 && amount.MatchString(word) {
			continue
		}
		words[i] = codeWithin(word)
	}
	return strings.Join(words, " ")
}
