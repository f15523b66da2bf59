package objects

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestTexts: a text is found that one pattern matches and the other one does not, wherever they differ; none
// where one pattern matches all that the other one does.
func TestTexts(t *testing.T) {
	for name, c := range map[string]struct{ wide, narrow string }{
		"class":       {`^[a-z0-9]([-a-z0-9_]*[a-z0-9])?$`, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`},
		"anchor":      {`^(([0-9]+(s|m|h))+)|(Never)$`, `^(([0-9]+(s|m|h))+|Never)$`},
		"start":       {`[a-z]+$`, `^[a-z]+$`},
		"end":         {`^[a-z]+`, `^[a-z]+$`},
		"length":      {`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`, `^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$`},
		"alternative": {`^(A|B|C)$`, `^(A|C)$`},
		"case":        {`(?i)^abc$`, `^abc$`},
		"word":        {`^.*ab.*$`, `\bab\b`},
		"empty":       {`^[a-z]*$`, `^[a-z]+$`},
		"dot":         {`^a.c$`, `^a\.c$`},
		"far":         {`^(https?://)?[a-z.]+(:[0-9]{1,5})?(/[a-z/]*)?$`, `^(https?://)?[a-z.]+(:[0-9]{1,4})?(/[a-z/]*)?$`},
	} {
		t.Run(name, func(t *testing.T) {
			found := Texts{Match: []string{c.wide}, Miss: []string{c.narrow}}.Find(3)
			assert.NotEmpty(t, found)
			for _, text := range found {
				assert.Regexp(t, regexp.MustCompile(c.wide), text)
				assert.NotRegexp(t, regexp.MustCompile(c.narrow), text)
			}
			if name != "word" {
				assert.Empty(t, Texts{Match: []string{c.narrow}, Miss: []string{c.wide}}.Find(3), "the narrower one matches nothing else")
			}
		})
	}
	assert.Empty(t, Texts{Match: []string{`^(a|b)$`}, Miss: []string{`^[ab]$`}}.Find(1), "two spellings of one pattern")
	assert.Empty(t, Texts{Match: []string{`(`}}.Find(1))
}

// TestTextsOfBoth: a text of a bounded length is found that two patterns match.
func TestTextsOfBoth(t *testing.T) {
	found := Texts{Match: []string{`^[a-f0-9:]+$`, `^[0-9a-z]{3,}$`}, MinLength: 6, MaxLength: 8}.Find(1)
	assert.Equal(t, []string{"aaaaaa"}, found)
	assert.Empty(t, Texts{Match: []string{`^[a-z]+$`, `^[A-Z]+$`}}.Find(1))
	assert.Empty(t, Texts{Match: []string{`^[a-z]{9}$`}, MaxLength: 8}.Find(1))
}

// TestTextsEnd: patterns that nobody can tell apart quickly end the search.
func TestTextsEnd(t *testing.T) {
	began := time.Now()
	Texts{Match: []string{strings.Repeat(`(a|b|ab)*`, 20) + `[ab]{200}c`}, Miss: []string{`(a|b)*a(a|b){18}$`}}.Find(1)
	assert.Less(t, time.Since(began), 20*time.Second)
}
