package blame

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// AddActors says of each loss who lost the value. It names no program where a server converted by itself.
func AddActors(ev *trace.Evidence, findings []result.Finding) {
	for i := range findings {
		if ev != nil && isConvertedAlone(ev, findings[i]) {
			findings[i].Program = ""
		}
		if f := &findings[i]; f.Outcome == term.Lost {
			f.Actor = ActorOf(*f)
		}
	}
}

// ofProgram are the causes of a loss that a webhook of a program made.
var ofProgram = []term.Cause{term.Converted, term.NotAdmitted}

// isConvertedAlone reports whether a server converted without a webhook: it changed the API version and nothing else, and pruned.
func isConvertedAlone(ev *trace.Evidence, f result.Finding) bool {
	tl := ev.ByCopy[f.Copy]
	return f.Cause == term.Converted && tl != nil && !ev.ConvertsByWebhook(tl)
}

// ofRequest are the causes of a loss where the request already lacked the value.
var ofRequest = []term.Cause{term.ClientOmitted, term.ListReplaced, term.ApplyReleased, term.Misread}

// ActorOf returns who lost the value of a loss: a client whose types lack it, or the server
// that stored the object. A dynamic client loses only what the server it read from hid. What a webhook lost, the
// program lost that ran then: its release may be another one than that of the definitions.
func ActorOf(f result.Finding) term.Actor {
	role, typed := f.Client.Role()
	switch {
	case f.Program != "" && slices.Contains(ofProgram, f.Cause):
		if f.Program == term.New {
			return term.NewProgram
		}
		return term.OldProgram
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
