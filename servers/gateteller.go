package servers

import "context"

// GateTeller returns the feature gates of a build as its executable describes them, without
// starting a server.
type GateTeller interface {
	// Gates returns the build's description of each gate that can be set: "ALPHA -
	// default=false".
	Gates(ctx context.Context, b Build) (map[string]string, error)
	// Gate returns the build's description of one gate, including stable and locked ones
	// ("locked to true"). has reports whether the build has the gate.
	Gate(ctx context.Context, b Build, name string) (says string, has bool, err error)
	// TakesOver returns the gate of the build's component that makes the first server with it
	// take over data that other servers keep in the store in another form. Two such servers
	// must not start at once: one of them would end. It returns "" if there is no such gate.
	TakesOver(b Build) string
}
