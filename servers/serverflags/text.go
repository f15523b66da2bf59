package serverflags

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
)

// assignment matches a line KEY=VALUE of an environment file or a systemd unit.
var assignment = regexp.MustCompile(`^(?:export\s+)?([A-Za-z]\w*)=(.*)$`)

// inner matches the variable in Environment="KEY=--flag --flag".
var inner = regexp.MustCompile(`^[A-Za-z]\w*=`)

// parseText reads flags, environment variables with flags, or the ExecStart of a systemd unit.
func (f *Flags) parseText(text string) {
	for _, l := range joined(text) {
		where := fmt.Sprintf("line %d", l.number)
		line := l.text
		key := ""
		if m := assignment.FindStringSubmatch(line); m != nil {
			key, line = m[1], m[2]
		}
		words, closed := split(line)
		if key == "ExecStart" {
			words, closed = split(strings.TrimLeft(line, "-@:+!"))
		}
		if closed && key != "" && len(words) == 1 && strings.ContainsAny(words[0], " \t\n") {
			words, closed = split(inner.ReplaceAllString(words[0], "")) // the quotes contain all flags
		}
		switch {
		case key != "" && !isOfServer(key, line):
		case !closed:
			f.NotUnderstood = append(f.NotUnderstood, where+": a quote is not closed")
		default:
			f.words(withoutProgram(words), where)
		}
	}
}

// isOfServer reports whether a variable, or a line of a systemd unit, contains flags of
// kube-apiserver.
func isOfServer(key, value string) bool {
	if strings.HasPrefix(key, "Exec") {
		return key == "ExecStart" && strings.Contains(value, program)
	}
	return regexp.MustCompile(`(^|[\s"'])--[a-z]`).MatchString(value)
}

// withoutProgram returns a command line without the executable.
func withoutProgram(words []string) []string {
	for i, word := range words {
		if path.Base(word) == program && !strings.HasPrefix(word, "-") {
			return words[i+1:]
		}
		if strings.HasPrefix(word, "-") {
			break
		}
	}
	return words
}

// numbered is a line of a file, with the lines that it continues on.
type numbered struct {
	number int
	text   string
}

// joined returns the lines of a text without comments and headings. A line continues where it
// ends with a backslash.
func joined(text string) (all []numbered) {
	open := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		comment := strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";")
		heading := strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")
		if comment || heading && !open {
			continue
		}
		rest, continues := strings.CutSuffix(line, `\`)
		switch {
		case open:
			all[len(all)-1].text += " " + rest
		case line != "":
			all = append(all, numbered{i + 1, rest})
		}
		open = continues
	}
	return all
}

// split splits a line into words as a shell does. closed is false if a quote is not closed.
func split(line string) (words []string, closed bool) {
	var word strings.Builder
	quote, inWord, escaped := rune(0), false, false
	flush := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			inWord, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && r == '#' && !inWord: // a comment
			flush()
			return words, true
		case quote == 0 && unicode.IsSpace(r):
			flush()
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	flush()
	return words, quote == 0
}
