package lint

import (
	"strings"

	"github.com/skewsim/skewsim/sim/schema"
)

// compare holds a field against the release before. What came with a new definition
// is told of by the field that refers to it; a new kind, or a new version of one, says
// by its own version how far it has come.
func (c *checker) compare(f schema.Field) {
	before, known := c.before[f.Definition]
	if !known {
		return
	}
	was, had := before[f.Place]
	switch {
	case had && f.Lifecycle == nil:
		c.dropped(f, was)
	case had || c.belowNew(f):
	case f.Lifecycle != nil:
		c.fresh[f.Definition+f.Place] = true
		c.early(f)
	default:
		c.fresh[f.Definition+f.Place] = true
		c.unmarked(f)
	}
}

// belowNew tells whether a field lies within a new one, which is told of itself.
func (c *checker) belowNew(f schema.Field) bool {
	for i := 1; i < len(f.Place); i++ {
		if (f.Place[i] == '.' || f.Place[i] == '[') && c.fresh[f.Definition+f.Place[:i]] {
			return true
		}
	}
	return false
}

func (c *checker) unmarked(f schema.Field) {
	if c.exceptions.name(f.Definition + f.Place) {
		c.report.Excused++
		return
	}
	c.tell(f, ruleUnmarked, "new since %s, and without a lifecycle: publish one, or list it among the exceptions if it is stable from the start", c.since.Name)
}

// dropped tells of a lifecycle that is gone before the field is stable.
func (c *checker) dropped(f, was schema.Field) {
	for _, l := range was.Lifecycles() {
		if stage, known := c.Stages[l.FeatureGate]; known && stage != "" {
			c.tell(f, ruleDropped, "was %s in %s, and carries no lifecycle, while its gate %s is %s still",
				l.Status, c.since.Name, l.FeatureGate, strings.ToLower(stage))
		}
	}
}

// early tells of a status that is older than its field.
func (c *checker) early(f schema.Field) {
	other, known := parseRelease(c.since.Version)
	for _, l := range f.Lifecycles() {
		named, ok := parseRelease(l.MinVersion)
		if known && ok && named.major == other.major && named.minor <= other.minor {
			c.tell(f, ruleEarly, "is %s since %s, and %s does not have it", l.Status, l.MinVersion, c.since.Name)
		}
	}
}
