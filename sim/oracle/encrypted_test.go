package oracle_test

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// encrypted says with which key a value is encrypted, and with which the old release reads
// a resource.
func (s *story) encrypted(c *history.Change, with, reads, resource string) {
	c.Encoding, c.Provider, c.KeyName = "encrypted", "aescbc", with
	s.h.Header.Plan.Releases = []plan.Release{{Role: term.Old, Options: scenarios.Options{
		Encryption: &scenarios.Encryption{Resources: []string{resource}, Reads: []string{reads}},
	}}}
	s.plurals()
}

// plurals says what the resources of both releases are called.
func (s *story) plurals() {
	for role, release := range s.h.Releases {
		for i := range release.Resources {
			release.Resources[i].Plural = strings.ToLower(release.Resources[i].Kind) + "s"
		}
		s.h.Releases[role] = release
	}
}
