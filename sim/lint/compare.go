package lint

import (
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/sim/schema"
)

// compare compares a field with the release before. A new definition is reported by the field
// that refers to it; the name of a new API version says how mature it is.
func (c *checker) compare(f schema.Field) {
	before, known := c.before[f.Definition]
	if !known {
		return
	}
	was, had := before[f.Place]
	switch {
	case had && !f.Marked:
		c.dropped(f, was)
	case had || c.belowNew(f):
	case f.Marked:
		c.fresh[f.Definition+f.Place] = true
		c.early(f)
	default:
		c.fresh[f.Definition+f.Place] = true
		c.unmarked(f)
	}
}

// belowNew reports whether a field is below a new one, which is reported itself.
func (c *checker) belowNew(f schema.Field) bool { return below(c.fresh, f) }

// below reports whether a field is below one of the given ones.
func below(fields map[string]bool, f schema.Field) bool {
	for i := 1; i < len(f.Place); i++ {
		if (f.Place[i] == '.' || f.Place[i] == '[') && fields[f.Definition+f.Place[:i]] {
			return true
		}
	}
	return false
}

func (c *checker) unmarked(f schema.Field) {
	if c.excused(f.Definition + f.Place) {
		return
	}
	c.tell(f, ruleUnmarked, "new since %s, and without a lifecycle: publish one, or list it among the exceptions if it is stable from the start", c.since.Name)
}

// dropped reports a lifecycle that was removed before the field is stable. An alpha field does
// not become stable in one release: it is beta first.
func (c *checker) dropped(f, was schema.Field) {
	for _, l := range was.Lifecycles() {
		stage, known := c.Stages[l.FeatureGate]
		switch {
		case known && stage != "":
			c.tell(f, ruleDropped, "was %s in %s, and carries no lifecycle, while its gate %s is %s still",
				l.Status, c.since.Name, l.FeatureGate, strings.ToLower(stage))
		case l.Status != schema.Alpha || !c.next():
		case known:
			c.tell(f, ruleDropped, "was alpha in %s, and carries no lifecycle, while its gate %s is stable at once: both have to be beta before they are stable",
				c.since.Name, l.FeatureGate)
		case l.FeatureGate == "":
			c.tell(f, ruleDropped, "was alpha in %s, without a gate, and carries no lifecycle: it has to be beta before it is stable", c.since.Name)
		case c.Stages != nil:
			c.tell(f, ruleDropped, "was alpha in %s, and carries no lifecycle, while its gate %s is gone as well: both have to be beta before they are stable",
				c.since.Name, l.FeatureGate)
		}
	}
}

// next reports whether no release is known to be between the two.
func (c *checker) next() bool {
	this, known := parseRelease(c.Version)
	other, also := parseRelease(c.since.Version)
	return !known || !also || this.major == other.major && this.minor-other.minor <= 1
}

// alphaVersion is in the name of what an API version defines that may go any time.
var alphaVersion = regexp.MustCompile(`\.v[0-9]+alpha[0-9]+\.`)

// gone reports fields that the release before had, and that were not published as removable. It
// ignores fields of a removed definition: the rules for API versions apply to those. It reports
// a removed field without the fields below it.
func (c *checker) gone(was []schema.Field, now map[string]map[string]schema.Field) {
	told := map[string]bool{}
	for _, f := range was { // what holds a field comes before it
		here, defined := now[f.Definition]
		if _, there := here[f.Place]; there || !defined || alphaVersion.MatchString(f.Definition) {
			continue
		}
		name := f.Definition + f.Place
		told[name] = true
		if below(told, f) || f.MayGo() || c.excused(name) {
			continue
		}
		c.tell(f, ruleGone, "%s in %s, and is not there any more: %s", how(f), c.since.Name,
			"only an alpha behind a gate may go at once; call it deprecated for a release before")
	}
}

// how is what a field was published as.
func how(f schema.Field) string {
	if said := f.Lifecycles(); len(said) > 0 {
		return "was " + said[0].Status
	}
	return "carried no lifecycle"
}

// early reports a status that is older than its field.
func (c *checker) early(f schema.Field) {
	other, known := parseRelease(c.since.Version)
	for _, l := range f.Lifecycles() {
		named, ok := parseRelease(l.MinVersion)
		if known && ok && named.major == other.major && named.minor <= other.minor {
			c.tell(f, ruleEarly, "is %s since %s, and %s does not have it", l.Status, l.MinVersion, c.since.Name)
		}
	}
}
