package oracle

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// Schemas holds what each release published, as the history's Release records name it.
type Schemas = trace.Schemas

// OfClients returns the key under which Schemas holds the types of a release's own clients.
func OfClients(role term.Role) term.Role { return trace.OfClients(role) }
