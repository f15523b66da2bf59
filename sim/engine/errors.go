package engine

import "github.com/skewsim/skewsim/servers/fault"

// usage marks an error as the user's.
func usage(err error) error { return fault.Wrap(fault.User, err) }
