package train

import (
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// GlowTombstone stands where GlowField stood.
type GlowTombstone struct{}

// Tombstone is what is left of the field.
func (GlowTombstone) Tombstone() object.Tombstone { return object.Tombstone{Name: "glow", Tag: 15} }

// The specs of 1.21.
type (
	GoneV6 struct {
		StableV6      `json:",inline"`
		GlowTombstone `json:",inline"`
	}
	GoneV5 struct {
		StableV5      `json:",inline"`
		GlowTombstone `json:",inline"`
	}
	GoneV7beta1 struct {
		StableV7beta1 `json:",inline"`
		GlowTombstone `json:",inline"`
	}
)

// glowGone is 1.21: glow is abandoned. The field goes from the structs, and leaves
// a tombstone: bytes that 1.20 stored know it by its name or its tag. Its gate goes
// too, and so does Frobber2D, which has been locked for two releases.
func glowGone(r *release.Release) {
	delete(r.Gates, FrobberGlow)
	delete(r.Gates, Frobber2D)
	rule(r, release.Rule{Of: "glow"})
	serveAll[GoneV6, GoneV5, GoneV7beta1](r)
}

func glowGoneMutants() mutants { return nil }
