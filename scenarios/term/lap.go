package term

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
