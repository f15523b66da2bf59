package crd

import (
	"context"
	"errors"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/program"
)

// StandIn is a program that converts in place of the webhook that stored definitions name, for all servers of a
// store, behind one address.
type StandIn struct {
	programs *programs
	of       servers.Build
}

// StartStandIn starts a program. Its keys are in dir, which must not exist, and its log in logs, below its name. It leaves
// nothing running if it fails.
func StartStandIn(ctx context.Context, p servers.Program, name, dir, logs string, images program.Images) (*StandIn, error) {
	s := &StandIn{newPrograms(dir, logs, images), servers.Build{Digest: p.Digest, Installs: &servers.Installation{Program: &p}}}
	if err := s.programs.join(ctx, s.of, name, servers.Endpoint{}); err != nil {
		return nil, errors.Join(err, s.programs.close())
	}
	return s, nil
}

// Address is where it converts, and the authority of its certificate, in PEM.
func (s *StandIn) Address() (url string, ca []byte) {
	return s.programs.front.url, s.programs.front.ca
}

// Close ends the program. It returns a *servers.RequestError if the program said meanwhile that nobody set it up.
func (s *StandIn) Close() error { return errors.Join(s.programs.wrong.get(), s.programs.close()) }
