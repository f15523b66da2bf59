package load

import (
	"k8s.io/apimachinery/pkg/fields"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// then checks the lines that follow a line on the same copies. They are ordinary lines, without
// the keys that only make sense for a line by itself.
func (v lineChecks) then(at string, l *scenarios.Line) {
	_, object := l.VerbKey()
	if v.given(at+".then") && len(l.Then) == 0 {
		v.fail(at+".then", "empty: give it a line, or leave the key out")
	}
	for i := range l.Then {
		next, at := &l.Then[i], strict.Element(at+".then", i)
		key, own := next.VerbKey()
		v.playLine(at, next)
		switch {
		case v.Reported(at + "." + key):
		case key == "create", key == "list":
			v.fail(at+"."+key, "it is about no copy that the line has met: then takes touch, set, patch, get and delete")
		case key != "" && own != object:
			v.fail(at+"."+key, "%s is another object: then goes on with the line's own, %s", strict.Quote(own), strict.Quote(object))
		}
		for _, only := range []string{"alone", "then"} {
			if v.given(at + "." + only) {
				v.fail(at+"."+only, "only the line itself takes it: what follows is played right after it")
			}
		}
	}
}

// selectors checks the field selector of a LIST. Only the server knows which labels a version
// supports.
func (v lineChecks) selectors(at string, l scenarios.Line) {
	for i, text := range l.FieldSelector {
		at := strict.Element(at+".fieldSelector", i)
		selector, err := fields.ParseSelector(text)
		if err != nil || selector.Empty() {
			v.fail(at, "%s is not a field selector such as spec.param=x or metadata.name!=y", strict.Quote(text))
			continue
		}
		for _, r := range selector.Requirements() {
			objectChecks(v).selected(at, r.Field)
		}
	}
}
