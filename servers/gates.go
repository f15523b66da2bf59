package servers

import (
	"errors"
	"regexp"
	"strings"
)

// depends finds what a server says, as it ends, of a gate that another one needs.
var depends = regexp.MustCompile(`(\w+) is enabled, but depends on features that are disabled: \[([^\]]*)\]`)

// FollowGates switches, in gates, those that hang on others which are switched on
// or off there, as the server that did not start for them tells: where on, what they
// need is switched on with them, else they are switched off. Gates that the user has
// decided on, as given tells, stay as they are. It returns which it switched; none,
// when that is not why the server ended.
func FollowGates(started error, on bool, gates map[string]bool, given func(gate string) bool) (followed []string) {
	var exit *ExitError
	if !errors.As(started, &exit) {
		return nil
	}
	for _, m := range depends.FindAllStringSubmatch(strings.Join(exit.Tail, "\n"), -1) {
		names := []string{m[1]}
		if on {
			names = strings.FieldsFunc(m[2], func(r rune) bool { return r == ' ' || r == ',' })
		}
		for _, name := range names {
			if is, set := gates[name]; (!set || is != on) && !given(name) {
				gates[name] = on
				followed = append(followed, name)
			}
		}
	}
	return followed
}
