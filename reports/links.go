package reports

import (
	"net/url"
	"strings"
)

// stateLink is the address, within report.html, of what a copy was at a step:
// #step-17/COPY/PATH. An empty copy or path leaves off what follows, so that
// the step of the plan, or the whole copy at that step, is meant. Names and
// paths are escaped whole: whatever they hold cannot end the address.
func stateLink(step int, copy, path string) string {
	return "#" + strings.Join(tail([]string{stepID(step)}, copy, path), "/")
}

// tail adds the names to an address, up to the first that is empty.
func tail(parts []string, names ...string) []string {
	for _, name := range names {
		if name == "" {
			break
		}
		parts = append(parts, url.PathEscape(whole(name)))
	}
	return parts
}

// whole is the name as the page's data has it: JSON holds no broken UTF-8.
func whole(name string) string { return string([]rune(name)) }
