package reading

import (
	"reflect"
	"slices"
)

// keep adds to a record what the same server answered to an earlier pass of the same reading, and not to this one: a GET that
// failed, a write that was refused, and a warning. A nil record has nothing.
func (r *Record) keep(first *Record) {
	if first == nil || r.Gone || first.Gone {
		return
	}
	if r.Decodes() && first.Form != "" && !first.Decodes() && !first.Unanswered() {
		r.Tries = append(r.Tries, Try{Write: Get, Code: first.Code, Message: first.Message, Again: true})
	}
	for _, t := range first.Tries {
		at := slices.IndexFunc(r.Tries, func(now Try) bool { return now.Write == t.Write && reflect.DeepEqual(now.Edit, t.Edit) })
		switch {
		case at < 0 && (t.Again || t.Refused() || t.Warning != ""):
			r.Tries = append(r.Tries, t)
		case at >= 0 && r.Tries[at].accepted() && (t.Again || t.Refused()):
			t.Again = true
			r.Tries[at] = t
		case at >= 0 && r.Tries[at].accepted() && r.Tries[at].Warning == "":
			r.Tries[at].Warning = t.Warning
		}
	}
}

// keep adds to the LISTs of one pass what those of an earlier one showed, and these do not.
func (all Listings) keep(first Listings) {
	for _, f := range first {
		at := slices.IndexFunc(all, func(l Listing) bool { return l.APIVersion == f.APIVersion && l.Kind == f.Kind })
		if at < 0 {
			continue
		}
		l := &all[at]
		if f.Fails() && !l.Fails() {
			l.Code, l.Message, l.Again = f.Code, f.Message, true
		}
		l.Missing, l.Differing = union(l.Missing, f.Missing), union(l.Differing, f.Differing)
	}
}

// union returns the keys of both, sorted.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
