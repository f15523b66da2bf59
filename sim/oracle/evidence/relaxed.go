package evidence

// Relaxed is the call of the first stage that was refused as invalid, where the
// same call succeeds now; 0: there is none.
func Relaxed(ev *Evidence, number int) int {
	at, tl := ev.Steps[number], LifeOf(ev, number)
	if at.Index == 0 || tl == nil || ev.HadPast(tl, number) || !ev.Acts[number].Done() || !Plain(ev, tl, number) {
		return 0
	}
	return ev.Calls.Invalid[at.Sign]
}
