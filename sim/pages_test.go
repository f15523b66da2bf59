package sim_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// entrance is the page from which links lead to all others.
const entrance = "docs/README.md"

// pages returns the text of the pages in docs and at the root: the README, and how to contribute.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range files(t, repository(), ".md") {
		if strings.Contains(name, "/") && !strings.HasPrefix(name, "docs/") {
			continue
		}
		text, err := fs.ReadFile(repository(), name)
		require.NoError(t, err)
		all[name] = string(text)
	}
	return all
}

var (
	fence    = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	codeSpan = regexp.MustCompile("`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)|(?m)^\[[^\]]+\]: (\S+)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// links returns what a page links to in the repository, as it says it.
func links(text string) (all []string) {
	for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(fence.ReplaceAllString(text, ""), "code"), -1) {
		if target := m[1] + m[2]; !strings.Contains(target, "://") {
			all = append(all, target)
		}
	}
	return all
}

// anchors returns the addresses of a page's headings, as GitHub makes them.
func anchors(text string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		plain := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		plain = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(plain), "")
		all = append(all, strings.ReplaceAll(plain, " ", "-"))
	}
	return all
}

// linkProblems lists the links of a page that lead nowhere, and the pages that it leads to.
func linkProblems(all map[string]string, name string, exists func(string) bool) (problems, reached []string) {
	for _, target := range links(all[name]) {
		file, anchor, _ := strings.Cut(target, "#")
		to := name
		if file != "" {
			to = path.Join(path.Dir(name), file)
		}
		switch text, isPage := all[to]; {
		case !isPage && !exists(to):
			problems = append(problems, fmt.Sprintf("%s: links to %s, which does not exist", name, target))
		case isPage && anchor != "" && !slices.Contains(anchors(text), anchor):
			problems = append(problems, fmt.Sprintf("%s: links to %s, which has no such heading", name, target))
		case isPage:
			reached = append(reached, to)
		}
	}
	return problems, reached
}

// orphans lists the pages that no links lead to from the entrance.
func orphans(all map[string]string) (lost []string) {
	seen, next := map[string]bool{}, []string{entrance}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if !seen[name] {
			seen[name] = true
			_, reached := linkProblems(all, name, func(string) bool { return true })
			next = append(next, reached...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !seen[name] && strings.HasPrefix(name, "docs/") {
			lost = append(lost, name+": no page leads to it from "+entrance)
		}
	}
	return lost
}

// opens reports whether a page says first what its reader gains.
func opens(text string) bool {
	_, body, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(strings.TrimSpace(body), "After reading this page")
}

// isElsewhere reports whether a page is printed by a command, or is a text that is filed elsewhere.
func isElsewhere(name string) bool {
	return strings.HasPrefix(name, "docs/reference/cli/") || strings.HasPrefix(name, "docs/findings/upstream/")
}

// TestPages holds that every link leads somewhere, that no page is an orphan, and that each says
// first what its reader can do then.
func TestPages(t *testing.T) {
	all := pages(t)
	exists := func(name string) bool {
		_, err := fs.Stat(repository(), name)
		return err == nil
	}
	for name, text := range all {
		problems, _ := linkProblems(all, name, exists)
		assert.Empty(t, problems)
		if strings.HasPrefix(name, "docs/") && !isElsewhere(name) {
			assert.True(t, opens(text), "%s: does not open with \"After reading this page\"", name)
		}
	}
	assert.Empty(t, orphans(all))
}

func TestPagesCanFail(t *testing.T) {
	all := map[string]string{
		entrance:     "# Docs\n\nAfter reading this page you can [go on](a.md#the-end).\n",
		"docs/a.md":  "# A\n\nThis page is good.\n\n## The `end`\n\n[x](b.md) [y](#nowhere) `[z](c.md)` [w](https://example.com)\n\n```\n[v](d.md)\n```\n",
		"docs/lo.md": "# Lost\n",
	}
	problems, reached := linkProblems(all, "docs/a.md", func(string) bool { return false })
	assert.Equal(t, []string{"docs/a.md: links to b.md, which does not exist", "docs/a.md: links to #nowhere, which has no such heading"}, problems)
	assert.Empty(t, reached)
	problems, reached = linkProblems(all, entrance, func(string) bool { return false })
	assert.Empty(t, problems)
	assert.Equal(t, []string{"docs/a.md"}, reached)
	assert.Equal(t, []string{"docs/lo.md: no page leads to it from docs/README.md"}, orphans(all))
	assert.True(t, opens(all[entrance]))
	assert.False(t, opens(all["docs/a.md"]))
}
