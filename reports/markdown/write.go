package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
)

// Document is a Markdown document that is being written. Writing to a buffer cannot fail.
type Document struct{ bytes.Buffer }

// Line writes one line.
func (p *Document) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// List writes as many lines as there is room for, and then how many are left out. It does
// not format the others.
func (p *Document) List(room, count int, item func(i int) string, more string) {
	for i := range count {
		text := item(i)
		room -= len(text) + 1
		if room < 0 {
			p.Line(more, count-i)
			return
		}
		p.Line("%s", text)
	}
}

// andMore returns the end of a list that leaves items out.
const andMore = "- and %d more, in report.html"

// BriefProse returns untrusted text as prose with at most so many characters.
func BriefProse(text string, most int) string { return Prose(view.Brief(view.Visible(text), most)) }

// BriefCode returns untrusted text as code with at most so many characters.
func BriefCode(text string, most int) string { return Code(view.Brief(view.Visible(text), most)) }

// tame escapes a word that has a meaning in Markdown, or on a forge, which turns @names,
// #numbers and addresses into links, and :words: into pictures. A number with a full stop
// or a bracket behind it would begin a list.
var tame = regexp.MustCompile(`^[("']*\p{L}[\p{L}\p{N}.,;:?+%"'()/-]*$|^\p{N}+(\.\p{N}+)*[,;:]?$|^\p{N}+/\p{N}+\)?[,;:]?$|^\(\p{N}+$|^(\.\.|→|=)$`)

// codeSpan reports whether a word is a complete code span.
var codeSpan = regexp.MustCompile("^\\(?`[^`]+`[.,;:!?)]*$")

func isTame(word string) bool {
	return tame.MatchString(word) && !strings.Contains(word, "://") && !strings.HasPrefix(strings.ToLower(word), "www.") &&
		!strings.HasPrefix(word, "GH-") && strings.Count(word, ":") < 2
}

// Prose writes a sentence: words that could mean anything to Markdown become
// code, where nothing does. The sentence's punctuation around them does not; nor is code
// made code once more.
func Prose(sentence string) string {
	words := strings.Split(view.Visible(sentence), " ")
	for i, word := range words {
		if word != "" && !isTame(word) && !codeSpan.MatchString(word) {
			words[i] = codeWithin(word)
		}
	}
	return strings.Join(words, " ")
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
		return Code(word)
	}
	return head + Code(body) + tail
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

// Cell is prose within a table, where a bar ends the cell even in code.
func Cell(sentence string) string { return strings.ReplaceAll(Prose(sentence), "|", `\|`) }

// Code writes a code span, fenced by more backticks than the text has in a row.
func Code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
