package oracle

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// limps tells of a server that does not get ready, since it does not read some of what
// is stored: once for each release. False: it is ready.
func (d *decoding) limps(lacks, who string, f result.Finding) bool {
	if lacks == "" {
		return false
	}
	if !d.once("limps", f.Via) {
		return true
	}
	f.State, f.Cause = term.Undecodable, d.causeOfAll(f.Via)
	f.Message = fmt.Sprintf("%s (%s) does not get ready: %s; it was waited for no longer, and serves as it is, where a roll-out that waits for it would stop; %s", who, f.Stage, lacks, meant(f))
	d.find(f)
	return true
}

// causeOfAll is why a release does not read what it does not read, of any kind, where
// all has one cause.
func (d *decoding) causeOfAll(role term.Role) term.Cause {
	var values []string
	for value := range d.e.calls.unread[role] {
		values = append(values, value)
	}
	slices.Sort(values)
	return d.e.calls.unread.cause(role, values)
}
