package crd

import (
	"context"
	"errors"

	"github.com/skewsim/skewsim/servers"
)

// Standing is a program that converts the objects of definitions which are stored already, for all servers of a
// store, behind one address.
type Standing struct {
	programs *programs
	of       servers.Build
}

// Stand starts a program. Its keys are in dir, which must not exist, and its log in logs, below its name. It leaves
// nothing running if it fails.
func Stand(ctx context.Context, p servers.Program, name, dir, logs string) (*Standing, error) {
	s := &Standing{newPrograms(dir, logs), servers.Build{Digest: p.Digest, Installs: &servers.Installation{Program: &p}}}
	if err := s.programs.join(ctx, s.of, name, servers.Endpoint{}); err != nil {
		return nil, errors.Join(err, s.programs.close())
	}
	return s, nil
}

// Address is where it converts, and the authority of its certificate, in PEM.
func (s *Standing) Address() (url string, ca []byte) {
	return s.programs.front.url, s.programs.front.ca
}

// Close ends the program.
func (s *Standing) Close() error { return s.programs.close() }
