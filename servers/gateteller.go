package servers

import "context"

// GateTeller says which feature gates builds have, without starting them: in the
// executables' own words.
type GateTeller interface {
	// Gates is what a build says of each gate that may be switched: "ALPHA -
	// default=false".
	Gates(ctx context.Context, b Build) (map[string]string, error)
	// Gate is what a build says of one gate, stable and locked ones too: "locked to
	// true"; has tells whether it has that gate at all.
	Gate(ctx context.Context, b Build, name string) (says string, has bool, err error)
}
