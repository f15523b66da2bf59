package objects

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// longestMatch is the longest text that is made of a pattern, in bytes, and maxParts how many of its
// parts are visited for it: repetitions of nothing within each other would make no text and not end.
const (
	longestMatch = 4096
	maxParts     = 4 * longestMatch
)

// Matching returns texts that match a pattern, the shortest first, which repeat what may be repeated
// not at all, once or twice, and choose different alternatives. None: the pattern is not valid, or
// no such text matches.
func Matching(pattern string) (texts []string) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	compiled, errCompile := regexp.Compile(pattern)
	if err != nil || errCompile != nil || pattern == "" {
		return nil
	}
	for _, times := range []int{1, 0, 2} {
		for choice := range 3 {
			w := matching{times: times, choice: choice}
			w.write(parsed)
			if text := w.String(); len(text) <= longestMatch && compiled.MatchString(text) && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// matching is a text that is made of a pattern.
type matching struct {
	strings.Builder
	times, choice int
	parts         int // visited so far
}

func (m *matching) write(part *syntax.Regexp) {
	m.parts++
	if m.Len() > longestMatch || m.parts > maxParts {
		return
	}
	switch part.Op {
	case syntax.OpLiteral:
		m.WriteString(string(part.Rune))
	case syntax.OpCharClass:
		m.WriteRune(likely(part.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.WriteByte('a')
	case syntax.OpAlternate:
		m.write(part.Sub[m.choice%len(part.Sub)])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range part.Sub {
			m.write(sub)
		}
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		for n := m.repeats(part); n > 0 && m.parts <= maxParts; n-- {
			m.write(part.Sub[0])
		}
	}
}

// repeats returns how often a part is written.
func (m *matching) repeats(part *syntax.Regexp) int {
	least, most := 0, -1
	switch part.Op {
	case syntax.OpPlus:
		least = 1
	case syntax.OpQuest:
		most = 1
	case syntax.OpRepeat:
		least, most = part.Min, part.Max
	}
	if n := max(least, m.times); most < 0 || n <= most {
		return n
	}
	return most
}

// likely returns a character of a class, which is a list of ranges: a letter or a number if it has one.
func likely(class []rune) rune {
	for _, c := range "a1A-" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= c && c <= class[i+1] {
				return c
			}
		}
	}
	for i := 0; i+1 < len(class); i += 2 {
		if class[i+1] >= ' ' {
			return max(class[i], ' ')
		}
	}
	return class[0]
}
