package try

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPatternAsItIs: a pattern has what marks remarks, quotes and the end of a tag elsewhere, and is no tag.
func TestPatternAsItIs(t *testing.T) {
	for _, pattern := range []string{`^[a-z]+ #[0-9]+$`, `^a;b$`, `"x"`, ` y$`, `^maxLength=3$`, "^a\nb$", `^k8s:[a-z]+$`, `^\+k8s:format=[a-z]+$`} {
		of := RuleTarget{Name: "pattern", Old: pattern, New: `^never$`}
		assert.Equal(t, []string{pattern}, of.patternsIn(pattern), pattern)
		var texts []any
		for _, s := range of.statements() {
			texts = append(texts, s.values("x")...)
		}
		var hits, misses int
		for _, v := range texts {
			if text, is := v.(string); is && regexp.MustCompile(pattern).MatchString(text) {
				hits++
			} else {
				misses++
			}
		}
		assert.Positive(t, hits, "%s: %v", pattern, texts)
		assert.Positive(t, misses, pattern)
	}
	assert.Equal(t, []string{"^a$"}, RuleTarget{Name: "k8s:pattern"}.patternsIn(`+k8s:pattern="^a$" # not enforced by default`), "a tag is quoted, and may have a remark")
}
