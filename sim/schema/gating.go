package schema

// Gating says which fields of a kind depend on feature gates, and how far each has come: as
// the source of its types tags them, and as its OpenAPI describes them.
type Gating struct{ Kind }

// Gating returns what the kind says of feature gates.
func (k Kind) Gating() Gating { return Gating{k} }
