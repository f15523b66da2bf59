package term

// Propagation is the propagation policy of a delete: what happens to objects that name the
// deleted one as their owner.
type Propagation string

// The policies.
const (
	Background Propagation = "Background"
	Foreground Propagation = "Foreground"
	Orphan     Propagation = "Orphan"
)

// Propagations lists every Propagation.
func Propagations() List[Propagation] {
	return List[Propagation]{
		{Background, "the object goes at once, those that it owns later"},
		{Foreground, "the object stays, marked, until those that it owns have gone: with no controllers, until its finalizer is taken away"},
		{Orphan, "the object stays, marked, until those that it owns name it no more: with no controllers, until its finalizer is taken away"},
	}
}
