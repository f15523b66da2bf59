package try

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestPatterns: a pattern of a number or a text is tried with texts on each side of it; numbers are no
// texts, and match any pattern.
func TestPatterns(t *testing.T) {
	const amount = `^[0-9]+(Ki|Mi)$`
	matches := regexp.MustCompile(amount)
	some := func(object, _ map[string]any) bool {
		text, is := spec(object, "size").(string)
		return !is || matches.MatchString(text)
	}
	for _, base := range []any{int64(1), "1Ki"} {
		got := try(t, &release{accepts: all}, &release{accepts: some}, target("pattern", amount, ".spec.size", gadget(map[string]any{"size": base})))[0]
		require.NotEmpty(t, got.Trials, base)
		assert.Positive(t, got.BothAccept, base)
		got = try(t, &release{accepts: some}, &release{accepts: some}, target("pattern", amount, ".spec.size", gadget(map[string]any{"size": base})))[0]
		assert.Empty(t, got.Trials, base)
		assert.True(t, got.Alike(), base)
	}
}

// TestNulls: an explicit null that one release keeps, and the other one removes or replaces by a
// default, is a trial that a journey plays. Where both treat it alike no trial is.
func TestNulls(t *testing.T) {
	keeps := func() *release { return &release{accepts: all} }
	becomes := func(v any) *release {
		return &release{accepts: func(object, _ map[string]any) bool {
			of, _ := object["spec"].(map[string]any)
			if is, has := of["name"]; has && is == nil {
				delete(of, "name")
				if v != nil {
					of["name"] = v
				}
			}
			return true
		}}
	}
	null := target("null refused", "true", ".spec.name", gadget(map[string]any{"name": "a"}))
	for _, v := range []any{nil, "d"} {
		got := try(t, keeps(), becomes(v), null)[0]
		require.Len(t, got.Trials, 1)
		assert.True(t, got.Trials[0].New.Replaced)
		assert.Equal(t, v, got.Trials[0].New.Default)
		assert.Equal(t, term.Old, got.Trials[0].AcceptedBy())
		assert.Len(t, got.Playable(), 1)
		assert.False(t, got.Alike())
		assert.Equal(t, term.New, try(t, becomes(v), keeps(), null)[0].Trials[0].AcceptedBy())
		assert.Empty(t, try(t, becomes(v), becomes(v), null)[0].Trials)
	}
	assert.Empty(t, try(t, keeps(), keeps(), null)[0].Trials)
}

// TestParts: an apply of one part of a map shows which release gives the map one owner. Where both treat it
// alike, and where a map has one part, no trial is.
func TestParts(t *testing.T) {
	parts := func(names ...string) RuleTarget {
		sizes := map[string]any{}
		for _, name := range names {
			sizes[name] = "x"
		}
		of := target("", "atomic", ".spec.sizes", gadget(map[string]any{"sizes": sizes}))
		of.Parts = true
		return of
	}
	merges, replaces := func() *release { return &release{accepts: all} }, func() *release { return &release{accepts: all, atomic: true} }
	for _, c := range []struct {
		old, new *release
		want     term.Role
	}{{merges(), replaces(), term.Old}, {replaces(), merges(), term.New}} {
		got := try(t, c.old, c.new, parts("a", "b"))[0]
		require.Len(t, got.Trials, 1)
		assert.Equal(t, c.want, got.Trials[0].AcceptedBy())
		assert.Equal(t, map[string]any{"a": "x"}, got.Trials[0].Value)
		assert.Empty(t, got.Playable())
		assert.Nil(t, c.old.stored, "the object does not stay")
	}
	assert.True(t, try(t, merges(), merges(), parts("a", "b"))[0].Alike())
	one := try(t, merges(), replaces(), parts("a"))[0]
	assert.NotEmpty(t, one.Reason)
	assert.Empty(t, one.Trials)
}

// TestPatternsApart: of two patterns that differ in a class of characters, in anchors or in lengths, a value
// is found that one release alone accepts. Two spellings of one pattern have none.
func TestPatternsApart(t *testing.T) {
	matching := func(pattern string) *release {
		matches := regexp.MustCompile(pattern)
		return &release{accepts: func(object, _ map[string]any) bool {
			text, _ := spec(object, "name").(string)
			return matches.MatchString(text)
		}}
	}
	differ := func(old, new string) Result {
		rule := target("pattern", new, ".spec.name", gadget(map[string]any{"name": "1h"}))
		rule.Old = old
		return try(t, matching(old), matching(new), rule)[0]
	}
	for narrow, wide := range map[string]string{
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`:   `^[a-z0-9]([-a-z0-9_]*[a-z0-9])?$`,
		`^(([0-9]+(s|m|h))+|Never)$`:        `^(([0-9]+(s|m|h))+)|(Never)$`,
		`^[0-9a-z]{1,30}$`:                  `^[0-9a-z]{1,40}$`,
		`^[0-9]+[a-z]$|^(one|two)[:;]three`: `^[0-9]+[a-z]$|^(one|two)[:;,]three`,
	} {
		got := differ(narrow, wide)
		require.NotEmpty(t, got.Trials, wide)
		assert.Equal(t, term.New, got.Trials[0].AcceptedBy())
		got = differ(wide, narrow)
		require.NotEmpty(t, got.Trials, wide)
		assert.Equal(t, term.Old, got.Trials[0].AcceptedBy())
	}
	assert.Empty(t, differ(`^[0-9a-z]{2}$`, `^[a-z0-9][a-z0-9]$`).Trials)
}

// TestLengths: a bound of the length of a text is tried with the characters of a valid text.
func TestLengths(t *testing.T) {
	digits := func(most int) *release {
		return &release{accepts: func(object, _ map[string]any) bool {
			text, _ := spec(object, "name").(string)
			return len(text) <= most && regexp.MustCompile(`^[0-9]+$`).MatchString(text)
		}}
	}
	rule := target("maxLength", "5", ".spec.name", gadget(map[string]any{"name": "12"}))
	got := try(t, &release{accepts: digits(9).accepts}, digits(5), rule)[0]
	require.Len(t, got.Trials, 1)
	assert.Equal(t, "121212", got.Trials[0].Value)
	assert.Empty(t, try(t, digits(5), digits(5), rule)[0].Trials)
}
