package servers

import (
	"errors"
	"regexp"
	"strings"
)

// depends matches the message of a server that exits because a gate needs another gate.
var depends = regexp.MustCompile(`(\w+) is enabled, but depends on features that are disabled: \[([^\]]*)\]`)

// FollowGates changes gates when a server did not start because one gate depends on others. If
// on is true, it enables the gates that an enabled gate needs; otherwise it disables the gate
// that depends on disabled ones. It never changes a gate for which given reports true, because
// the user has set it. It returns the gates that it changed, or none when the server ended for
// another reason.
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

// maxStarts is how often a server is started to find which gates its own depend on: each start names the direct
// dependencies.
const maxStarts = 8

// StartFollowing starts a server, and again as long as it ended because a gate depends on others and follow has
// changed these. The first try is number 1.
func StartFollowing(start func(try int) (Process, error), follow func(ended error) bool) (Process, error) {
	for try := 1; ; try++ {
		p, err := start(try)
		if err == nil || try == maxStarts || !follow(err) {
			return p, err
		}
	}
}
