package engine

import "github.com/skewsim/skewsim/servers/fault"

// usage says that what the user gave is wrong.
func usage(err error) error { return fault.Wrap(fault.User, err) }
