package term

// Fate is what happens to a difference in a mixed control plane, a rollback and a second
// upgrade.
type Fate string

// The fates of a difference.
const (
	FateUndecodable      Fate = "undecodable"
	FateCrashed          Fate = "server-crashed"
	FateFrozen           Fate = "frozen"
	FatePartlyFrozen     Fate = "partly-frozen"
	FateLostByOld        Fate = "lost-by-old-server"
	FateLostByClients    Fate = "lost-by-old-clients"
	FateLostByNew        Fate = "lost-by-new-release"
	FateMeansOther       Fate = "means-something-else"
	FateOwnershipChanged Fate = "ownership-changed"
	FateDropped          Fate = "accepted-and-dropped"
	FateRefused          Fate = "refused"
	FateDormant          Fate = "dormant"
	FateKept             Fate = "kept"
	FateNotExercised     Fate = "not-exercised"
	FateNotComparable    Fate = "not-comparable"
)

// Fates lists every Fate, worst first.
func Fates() List[Fate] {
	return List[Fate]{
		{FateUndecodable, "a release cannot read what is stored"},
		{FateCrashed, "a server panicked or ended"},
		{FateFrozen, "stored, and no longer writable through a release"},
		{FatePartlyFrozen, "stored, and writable only in part through a release: labels can change, and what is beside the value cannot"},
		{FateLostByOld, "lost by writes of the old release's servers"},
		{FateLostByClients, "lost by clients of the old release"},
		{FateLostByNew, "lost by servers or clients of the new release"},
		{FateMeansOther, "stored, and served with another meaning or default"},
		{FateOwnershipChanged, "managedFields name another owner"},
		{FateDropped, "accepted by a server that dropped it"},
		{FateRefused, "refused with an error, and nothing stored"},
		{FateDormant, "hidden while the old release serves alone, and back with the next upgrade"},
		{FateKept, "kept"},
		{FateNotExercised, "no object reached it"},
		{FateNotComparable, "what the releases do cannot be compared"},
	}
}

// WorseThan reports whether a fate is worse than another. A fate that was not exercised, or
// not compared, is neither better nor worse.
func (f Fate) WorseThan(other Fate) bool {
	return f.isOutcome() && other.isOutcome() && Fates().Index(f) < Fates().Index(other)
}

func (f Fate) isOutcome() bool {
	return f != FateNotExercised && f != FateNotComparable && Fates().Has(f)
}

// Lap is one journey of a sweep.
type Lap string

// The laps of a sweep.
const (
	DefaultLap Lap = "default"
	GatesLap   Lap = "gates"
)

// Laps lists every Lap.
func Laps() List[Lap] {
	return List[Lap]{
		{DefaultLap, "both releases at default settings"},
		{GatesLap, "the alpha and beta gates and APIs of both releases switched on, as far as each has them"},
	}
}

// ObjectOrigin is where an object of a sweep came from.
type ObjectOrigin string

// The origins of objects.
const (
	OriginFixture   ObjectOrigin = "fixture"
	OriginHint      ObjectOrigin = "hint"
	OriginGenerated ObjectOrigin = "generated"
	OriginRepaired  ObjectOrigin = "repaired"
)

// ObjectOrigins lists every ObjectOrigin.
func ObjectOrigins() List[ObjectOrigin] {
	return List[ObjectOrigin]{
		{OriginFixture, "an object in the source of the release, with the value added"},
		{OriginHint, "the hints file"},
		{OriginGenerated, "generated from what the release publishes"},
		{OriginRepaired, "generated, and repaired with the server's errors"},
	}
}

// RowChange is how a row of a sweep differs from that of an earlier one.
type RowChange string

// The changes of rows.
const (
	RowAppeared RowChange = "appeared"
	RowWorse    RowChange = "worse"
	RowBetter   RowChange = "better"
	RowVanished RowChange = "vanished"
)

// RowChanges lists every RowChange.
func RowChanges() List[RowChange] {
	return List[RowChange]{
		{RowAppeared, "the earlier sweep does not have the row"},
		{RowWorse, "the verdict is worse than it was"},
		{RowBetter, "the verdict is better than it was"},
		{RowVanished, "only the earlier sweep has the row"},
	}
}
