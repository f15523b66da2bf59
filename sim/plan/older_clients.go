package plan

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// olderClients reports older clients that are not older than the pair that is played, as far as
// its references show.
func olderClients(p *Plan) error {
	_, version, named := strings.Cut(p.Release(term.Old).Reference, "@")
	if p.Clients == "" || !named {
		return nil
	}
	if err := scenarios.OlderThan(p.Clients, version); err != nil {
		return fmt.Errorf("%s: releases.clients: %w", p.Scenario, err)
	}
	return nil
}
