package blame

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// AddActors says of each loss who lost the value.
func AddActors(findings []result.Finding) {
	for i := range findings {
		if f := &findings[i]; f.Outcome == term.Lost {
			f.Actor = ActorOf(*f)
		}
	}
}

// ofRequest are the causes of a loss where the request already lacked the value.
var ofRequest = []term.Cause{term.ClientOmitted, term.ListReplaced, term.ApplyReleased, term.Misread}

// ActorOf returns who lost the value of a loss: a client whose types lack it, or the server
// that stored the object. A dynamic client loses only what the server it read from hid.
func ActorOf(f result.Finding) term.Actor {
	role, typed := f.Client.Role()
	switch {
	case typed && slices.Contains(ofRequest, f.Cause):
		if role == term.New {
			return term.NewRelease
		}
		return term.OldClient
	case f.Cause == term.ReadHidden && f.Read != "":
		return ofRelease(f.Read)
	}
	return ofRelease(f.Via)
}

func ofRelease(role term.Role) term.Actor {
	if role == term.New {
		return term.NewRelease
	}
	return term.OldServer
}
