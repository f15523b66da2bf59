package rules_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/rules"
)

var guide = flag.String("guide", "", "the `directory` with the texts, to hold index.txt against, or with -update to make it from")

const howIndexIsMade = `# What the texts say, sentence by sentence, without their words: of each word the first
# byte of the SHA-256 of its letters and digits in lower case. A line that begins with !
# sounds like a duty, and some rule has to quote it. Of the early form, sentences of the
# present form are left out. Made by
#   go test ./scenarios/rules -update -guide DIR
# where DIR holds guide.md, early.md, lifecycle.md and proposal.md: the guide's present
# form, its form of Kubernetes 1.2, KEP-2558, and the first comment of kubernetes#30819.
`

// sentence is one sentence of a text, as the index has it.
type sentence struct {
	document, section string
	words             []byte
	obliges           bool
}

// duty are the words that oblige.
var duty = regexp.MustCompile(`(?i)\b(must|should|shall|cannot|can not|can't|may not|be required|required|requires?|do not|don't|disallow(ed)?|unacceptable|` +
	`needs? to|ensures?|(has|have) to|necessary|onus|allowed|neither|no longer recommended|be able|avoid|no commitment|verify|always|only be|never)\b`)

var (
	heading  = regexp.MustCompile(`^#+ `)
	step     = regexp.MustCompile(`^\d+\. `)
	item     = regexp.MustCompile(`^([*-]|\d+\.)\s`)
	target   = regexp.MustCompile(`\]\([^)]*\)`)
	contents = regexp.MustCompile(`^[*-] \[[^\]]*\]\(#`)
	short    = regexp.MustCompile(`\b(e\.g|i\.e|etc)\.`)
	ends     = regexp.MustCompile(`[.:;!?]["')*]*\s+`)
)

// paragraphs cuts a text into its paragraphs and list items, with their sections.
// Of code only the comments are taken.
func paragraphs(text string, take func(section, paragraph string)) {
	section, code, parts := "", false, []string{}
	flush := func() {
		if len(parts) > 0 {
			take(section, strings.Join(parts, " "))
		}
		parts = nil
	}
	for _, whole := range strings.Split(text, "\n") {
		line := strings.TrimSpace(whole)
		comment, isComment := strings.CutPrefix(line, "//")
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			code = !code
		case code && !isComment, line == "", contents.MatchString(line):
			flush()
		case code:
			parts = append(parts, strings.TrimSpace(comment))
		case heading.MatchString(whole):
			flush()
			section = strings.TrimLeft(line, "# ")
		default:
			if item.MatchString(line) {
				flush()
			}
			parts = append(parts, line)
		}
	}
	flush()
}

// read makes a text into its sentences.
func read(document, text string) (all []sentence) {
	paragraphs(text, func(section, p string) {
		p = short.ReplaceAllString(target.ReplaceAllString(p, "]"), "$1")
		isStep := step.MatchString(p)
		p = step.ReplaceAllString(p, "")
		from := 0
		for _, end := range append(ends.FindAllStringIndex(p, -1), []int{len(p), len(p)}) {
			s := p[from:end[1]]
			from = end[1]
			if words := fingerprint(s); len(words) > 0 {
				all = append(all, sentence{document, section, words, isStep || duty.MatchString(s)})
				isStep = false
			}
		}
	})
	return all
}

// fingerprint is a byte for each word.
func fingerprint(text string) (words []byte) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		sum := sha256.Sum256([]byte(word))
		words = append(words, sum[0])
	}
	return words
}

// makeIndex reads the texts. What an earlier one says word for word is left out.
func makeIndex(t *testing.T, dir string) (all []sentence) {
	t.Helper()
	said := map[string]bool{}
	for _, name := range []string{"guide", "early", "lifecycle", "proposal"} {
		text, err := os.ReadFile(filepath.Join(dir, name+".md"))
		require.NoError(t, err)
		for _, s := range read(name, string(text)) {
			if name == "guide" || !said[string(s.words)] {
				all = append(all, s)
			}
			if name == "guide" {
				said[string(s.words)] = true
			}
		}
	}
	return all
}

func formatIndex(all []sentence) string {
	var b strings.Builder
	b.WriteString(howIndexIsMade)
	document, section := "", ""
	for _, s := range all {
		if s.document != document {
			fmt.Fprintf(&b, "text %s\n", s.document)
			document, section = s.document, ""
		}
		if s.section != section {
			fmt.Fprintf(&b, "section %s\n", s.section)
			section = s.section
		}
		mark := "-"
		if s.obliges {
			mark = "!"
		}
		fmt.Fprintf(&b, "%s %x\n", mark, s.words)
	}
	return b.String()
}

func parseIndex(t *testing.T, text string) (all []sentence) {
	t.Helper()
	document, section := "", ""
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		key, rest, _ := strings.Cut(lines.Text(), " ")
		switch key {
		case "#":
		case "text":
			document, section = rest, ""
		case "section":
			section = rest
		default:
			words, err := hex.DecodeString(rest)
			require.NoError(t, err)
			all = append(all, sentence{document, section, words, key == "!"})
		}
	}
	return all
}

// unlisted lists the sentences that oblige and that no rule quotes, and the quotes
// that no sentence has.
func unlisted(documents []rules.Document, index []sentence) (problems []string) {
	type place struct{ document, section string }
	quotes := map[place][]string{}
	for _, d := range documents {
		for _, s := range d.Sections {
			at := place{d.Name, s.Name}
			quotes[at] = append(quotes[at], s.Tells...)
			for _, r := range s.Rules {
				quotes[at] = append(quotes[at], r.Says...)
			}
			for _, q := range quotes[at] {
				words := fingerprint(q)
				if len(words) < 3 || len(words) > 12 {
					problems = append(problems, fmt.Sprintf("%s.yaml: %s: %q: has %d words, and should have 3 to 12", d.Name, s.Name, q, len(words)))
				}
				if !slices.ContainsFunc(index, func(is sentence) bool {
					return is.document == d.Name && is.section == s.Name && bytes.Contains(is.words, words)
				}) {
					problems = append(problems, fmt.Sprintf("%s.yaml: %s: %q: no sentence of the section says so", d.Name, s.Name, q))
				}
			}
		}
	}
	for n, is := range index {
		if is.obliges && !slices.ContainsFunc(quotes[place{is.document, is.section}], func(q string) bool { return bytes.Contains(is.words, fingerprint(q)) }) {
			problems = append(problems, fmt.Sprintf("%s.yaml: %s: sentence %d of the index (%d words, %x) obliges, and no rule quotes it", is.document, is.section, n+1, len(is.words), is.words))
		}
	}
	return problems
}

func TestIndex(t *testing.T) {
	if *guide != "" {
		made := formatIndex(makeIndex(t, *guide))
		golden(t, "index.txt", made)
	}
	text, err := os.ReadFile("index.txt")
	require.NoError(t, err)
	index := parseIndex(t, string(text))
	require.Equal(t, string(text), formatIndex(index))
	documents, err := rules.Documents()
	require.NoError(t, err)
	for _, problem := range unlisted(documents, index) {
		t.Error(problem)
	}
}

// TestIndexCanFail gives a text with one duty that is quoted and one that is not.
func TestIndexCanFail(t *testing.T) {
	index := read("guide", "# On kindness\n\nOne must be kind (e.g. to cats). It rains.\n\n1. Feed [them](x.md) well. They eat.\n\n```go\n// Do not shout.\nx := 1\n```\n")
	require.Equal(t, index, parseIndex(t, formatIndex(index)))
	quoting := func(says ...string) []rules.Document {
		return []rules.Document{{Name: "guide", Sections: []rules.Section{{Name: "On kindness", Rules: []rules.Rule{{Says: says}}}}}}
	}
	all := []string{"must be kind e.g. to", "Feed them well", "do not shout"}
	assert.Empty(t, unlisted(quoting(all...), index))
	for left := range all {
		problems := unlisted(quoting(slices.Delete(slices.Clone(all), left, left+1)...), index)
		require.Len(t, problems, 1)
		assert.Contains(t, problems[0], "obliges, and no rule quotes it")
	}
	for quote, why := range map[string]string{
		"must be unkind": "no sentence of the section says so",
		"be kind":        "has 2 words, and should have 3 to 12",
	} {
		problems := unlisted(quoting(append(slices.Clone(all), quote)...), index)
		require.Len(t, problems, 1, quote)
		assert.Contains(t, problems[0], why)
	}
	elsewhere := quoting(all...)
	elsewhere[0].Sections[0].Name = "On patience"
	assert.Len(t, unlisted(elsewhere, index), 6)
}
