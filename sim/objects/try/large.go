package try

import (
	"encoding/json"
	"slices"
)

// maxPlayed is the size, in bytes of JSON, up to which the object of a rule is played: each answer
// of a journey is compared value by value, and a list at its bound may have thousands.
const maxPlayed = 16 << 10

// Playable returns the trials whose objects are small enough for a journey, and whose value a journey
// can follow: on the others dry runs alone decide. A journey compares values, and nulls are absent.
func (r Result) Playable() []Trial {
	return slices.DeleteFunc(slices.Clone(r.Trials), func(t Trial) bool {
		if t.IsReplaced() && (t.Value != nil || t.Removed) || t.Held == ".metadata.name" { // copies have names of their own
			return true
		}
		raw, err := json.Marshal(t.Object)
		return err != nil || len(raw) > maxPlayed
	})
}
