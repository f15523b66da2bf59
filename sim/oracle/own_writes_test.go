package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/term"
)

// A write of the servers' own is told with the manager that made it, where one alone has
// written since; else without.
func TestOwnWritesAreNamed(t *testing.T) {
	entry := func(manager, time string) any { return object{"manager": manager, "operation": "Update", "time": time} }
	for name, c := range map[string]struct {
		after []any
		named bool
	}{
		"by one":            {[]any{entry("skewsim", "1"), entry("shine-controller", "2")}, true},
		"by two":            {[]any{entry("skewsim", "3"), entry("shine-controller", "2")}, false},
		"by nobody":         {[]any{entry("skewsim", "1")}, false},
		"without its books": {nil, false},
	} {
		s := mixed(t, term.Upgrade)
		s.create("bystander-1", `{"colour": "red"}`)
		s.patch("bystander-1", via("b"))
		s.store("bystander-1", ".metadata.managedFields", []any{entry("skewsim", "1")})
		s.edge()
		o := clone(t, s.stored["bystander-1"])
		delete(o["spec"].(object), "colour")
		delete(o["metadata"].(object), "managedFields")
		if c.after != nil {
			o["metadata"].(object)["managedFields"] = c.after
		}
		s.keep("bystander-1", o)
		s.edge()
		res, _ := s.judge()
		told := false
		for _, f := range res.Findings {
			told = told || strings.Contains(f.Message, `(the servers' own, by the manager "shine-controller")`)
			if f.Step != 0 {
				t.Errorf("%s: charged to a step: %+v", name, f)
			}
		}
		if len(res.Findings) == 0 || told != c.named {
			t.Errorf("%s: %+v", name, res.Findings)
		}
	}
}
