package servers

import "context"

// GateTeller says which feature gates builds have, without starting them, in the
// executables' own words; and what is to be known of them.
type GateTeller interface {
	// Gates is what a build says of each gate that may be switched: "ALPHA -
	// default=false".
	Gates(ctx context.Context, b Build) (map[string]string, error)
	// Gate is what a build says of one gate, stable and locked ones too: "locked to
	// true"; has tells whether it has that gate at all.
	Gate(ctx context.Context, b Build, name string) (says string, has bool, err error)
	// TakesOver is the gate of the build's component with which the first server that
	// has it on takes over what others keep in the store in another form. Two at once,
	// which no roll-out has, trip over each other, and one of them ends. "": none.
	TakesOver(b Build) string
}
