package play

import (
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// ranges finds that the flag of the user's servers names another range of Services than the object by which
// releases assign addresses. What the first release shows already is the baseline.
func (j *judgement) ranges(t taken, flag string) error {
	if flag == "" {
		return nil
	}
	return reading.Each(t.file, func(r *reading.Record) error {
		if !r.Decodes() {
			return nil
		}
		at := serverflags.OtherRange(flag, r.Object)
		if at == "" {
			return nil
		}
		switch f := preflight.OtherRange(j.seen(t, r), j.direction(), at); {
		case t.phase == preflight.PhaseBaseline:
			j.judged.AddBaseline(f)
		case !j.judged.Already(f):
			j.judged.Add(f)
		}
		return nil
	})
}
