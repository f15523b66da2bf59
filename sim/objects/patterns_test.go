package objects

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMatching: the patterns that definitions usually have get texts that match them, several where
// several are possible. What is not a pattern, or what nothing matches, gets none.
func TestMatching(t *testing.T) {
	for _, pattern := range []string{
		`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
		`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`,
		`^v?[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9]+)?$`,
		`^sha256:[a-f0-9]{64}$`,
		`^arn:aws:iam::\d{12}:role/.+$`,
		`^[A-Z]{3}-[0-9]{2,4}$`,
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
		`^(https?|ftp)://\S+$`,
	} {
		texts := Matching(pattern)
		assert.NotEmpty(t, texts, pattern)
		for _, text := range texts {
			assert.Regexp(t, regexp.MustCompile(pattern), text)
		}
	}
	assert.Greater(t, len(Matching(`^(ab|cd)+$`)), 2)
	assert.Equal(t, []string{"abc"}, Matching(`^abc$`))
	for _, pattern := range []string{``, `(`, `^a\bc$`, `(?=x)y`} {
		assert.Empty(t, Matching(pattern), pattern)
	}
}

// TestMatchingEnds: a definition may repeat nothing within repetitions: that takes no time that doubles
// with each of them.
func TestMatchingEnds(t *testing.T) {
	const deep = 60
	nothing := strings.Repeat("(", deep) + "^" + strings.Repeat(")*", deep)
	assert.LessOrEqual(t, len(Matching(nothing+"a")), 3)
}
