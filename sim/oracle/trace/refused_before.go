package trace

// RefusedBefore returns the call of the first stage that was refused as invalid, if the same call
// succeeds now; 0 if none exists.
func RefusedBefore(ev *Evidence, number int) int {
	at, tl := ev.Steps[number], TimelineOf(ev, number)
	if at.StageIndex == 0 || tl == nil || ev.HasPast(tl, number) || !ev.Acts[number].Done() || !HasNothingOfChange(ev, tl, number) {
		return 0
	}
	return ev.Calls.Invalid[at.Signature]
}
