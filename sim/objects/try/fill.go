package try

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/search"
)

// How much one object is filled: fields beyond these are left out, so that a kind with thousands
// of fields costs no more than one with sixty.
const (
	maxFilled = 60
	maxDeep   = 4 // members of members of the spec
	together  = 8 // fields that are sent at once
	maxFills  = 80
)

// filling adds published fields to an object that a server accepts.
type filling struct {
	*exerciser
	kind      *kind
	published objects.Kind // of which also the parts have fields
	specimen  *Specimen
	writer
	unkept map[string]bool // values that the server does not keep in the object as it was found
	unfit  map[string]bool // what the other release complains about in the object as it was found
	tries  int
	known  lesson // of the first object of the kind; empty in that one
	learnt lesson
}

// fill adds the published fields to a specimen that the server accepts and keeps: all at once, and then without those
// that a refusal is about. What it cannot add it leaves out. A kind of Kubernetes without a
// namespace stays as it is: with all its fields, such an object may act on every other, as a default
// does. No controller acts on what a definition defines: only there a status is filled too. The first object of
// a kind teaches the others what the server takes.
func fill(ctx context.Context, e *exerciser, k *kind, s *Specimen, known lesson) (learnt lesson, err error) {
	custom := e.Custom || isCustom(k.APIVersion)
	if !custom && (!k.Namespaced || s.Subresource != "") || s.Subresource != "" && s.Subresource != term.StatusPart {
		return learnt, nil
	}
	f := &filling{exerciser: e, kind: k, published: k.generate, specimen: s, writer: writerOf(e, k, s), known: known, learnt: newLesson()}
	f.published.Subresources = nil
	first := f.send(ctx, s.Object)
	f.unkept, _ = f.lost(first, s.Object)
	f.unfit = unfitIn(f.sendOther(ctx, s.Object))
	except := append(slices.Clone(s.Except), f.chosen(ctx, first)...)
	missing, size := f.missing(except), together
	if known.isTaught() {
		size = maxFilled
	}
	for group := range slices.Chunk(missing, size) {
		if err := f.add(ctx, group); err != nil {
			return learnt, err
		}
	}
	return f.learnt, f.enliven(ctx)
}

// isCustom reports whether a kind is of a group that is not Kubernetes' own.
func isCustom(apiVersion string) bool {
	group, _, grouped := strings.Cut(apiVersion, "/")
	return grouped && strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// chosen returns the fields whose values the server chooses for each object anew, such as an address:
// an object that names one can be created only once.
func (f *filling) chosen(ctx context.Context, first client.Answer) (fields []string) {
	one, ok := decoded(first)
	two, again := decoded(f.send(ctx, f.specimen.Object))
	if !ok || !again {
		return nil
	}
	was := f.kind.schema.Leaves(one)
	for text, leaf := range f.kind.schema.Leaves(two) {
		if before, has := was[text]; !strings.HasPrefix(text, ".metadata") && (!has || before.Semantic != leaf.Semantic) {
			fields = append(fields, path.Field(leaf.Path))
		}
	}
	return fields
}

// missing returns the fields that the object could have besides its own, those beside the target's value first,
// and then the outer ones: those that are written with the object, or those of the part that the value is in.
func (f *filling) missing(except []string) []string {
	has := f.published.FieldsOf(f.specimen.Object)
	all := slices.Sorted(maps.Keys(f.published.Fields()))
	all = slices.DeleteFunc(all, func(field string) bool {
		within := func(outer string) bool { return field == outer || objects.IsWithin(field, outer) }
		return has[field] || f.known.refused[field] && !f.isBeside(field) || f.kind.subresourceOf(field) != f.specimen.Subresource || depth(field) > maxDeep && !f.isBeside(field) || slices.ContainsFunc(except, within)
	})
	slices.SortStableFunc(all, func(a, b string) int {
		if beside := f.isBeside(a); beside != f.isBeside(b) {
			return map[bool]int{true: -1, false: 1}[beside]
		}
		return depth(a) - depth(b)
	})
	return all[:min(len(all), maxFilled)]
}

// isBeside reports whether a field is in the struct that the target is or that holds the target, or, within a
// list, in a struct around it: servers compare whole lists.
func (f *filling) isBeside(field string) bool {
	target := f.specimen.Path
	outer := field[:max(0, strings.LastIndexByte(field, '.'))]
	switch {
	case target == "" || outer == "":
		return false
	case outer == target || outer == target[:strings.LastIndexByte(target, '.')]:
		return true
	}
	return strings.Contains(outer, "[]") && (strings.HasPrefix(target, outer+".") || strings.HasPrefix(target, outer+"["))
}

func depth(field string) int { return strings.Count(field, ".") }

// add adds a group of fields. If the servers refuse it, it adds the fields that no complaint is about, and then the
// others one by one; by halves where a complaint is about none or all of them.
func (f *filling) add(ctx context.Context, group []string) error {
	has := f.published.FieldsOf(f.specimen.Object)
	group = slices.DeleteFunc(slices.Clone(group), func(field string) bool { return has[field] })
	switch {
	case len(group) == 0 || f.tries >= maxFills:
		return nil
	case len(group) == 1:
		return f.repaired(ctx, group[0])
	}
	l := f.with(group)
	if len(l.at) == 0 {
		return nil
	}
	f.tries++
	a := f.send(ctx, l.object)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	wrong := f.wrong(ctx, l, a)
	if len(wrong) == 0 {
		f.take(l)
		return nil
	}
	blamed := l.blamed(wrong)
	if len(blamed) == 0 || len(blamed) == len(l.at) {
		half := (len(group) + 1) / 2
		if err := f.add(ctx, group[:half]); err != nil {
			return err
		}
		return f.add(ctx, group[half:])
	}
	if err := f.add(ctx, slices.DeleteFunc(slices.Clone(group), func(field string) bool { return blamed[field] })); err != nil {
		return err
	}
	for _, field := range group {
		if blamed[field] {
			if err := f.add(ctx, []string{field}); err != nil {
				return err
			}
		}
	}
	return nil
}

// take makes a laid object the specimen's.
func (f *filling) take(l laid) {
	f.specimen.Object = l.object
	for field, at := range l.at {
		f.learnt.values[field], _ = objects.Get(l.object, at)
	}
}

// wrong returns where something is wrong with a laid object: what the server refuses or does not keep, or what the other
// release complains about and did not in the object as it was found. An empty location is the object as a whole.
func (f *filling) wrong(ctx context.Context, l laid, a client.Answer) (all []objects.Location) {
	lost, ok := f.lost(a, l.object)
	if !ok {
		return f.located(l.object, a)
	}
	for field, at := range l.at {
		named, _, there := f.kind.schema.Named(l.object, at.String())
		whole := path.String(named)
		isLost := func(text string) bool { return !f.unkept[text] && (text == whole || objects.IsWithin(text, whole)) }
		if there && slices.ContainsFunc(slices.Collect(maps.Keys(lost)), isLost) {
			all = append(all, l.at[field])
		}
	}
	if len(all) == 0 && !includes(f.unkept, lost) {
		all = append(all, nil)
	}
	if len(all) > 0 {
		return all
	}
	if theirs, asked := f.sendOther(ctx, l.object); !includes(f.unfit, unfitIn(theirs, asked)) {
		return f.located(l.object, theirs)
	}
	return nil
}

// located returns the places of an object that a refusal names; one empty location if it names none.
func (f *filling) located(object map[string]any, a client.Answer) (all []objects.Location) {
	for _, cause := range objects.CausesOf(a.Status) {
		if cause.Field != noField {
			all = append(all, objects.Locate(f.published, object, cause))
		}
	}
	if len(all) == 0 {
		all = append(all, nil)
	}
	return all
}

// disputed notes the value of a field if one release accepts it in the object, and the other one refuses it.
func (f *filling) disputed(ctx context.Context, object map[string]any, at objects.Location, own client.Answer) {
	if !f.specimen.Both {
		return
	}
	theirs, asked := f.sendOther(ctx, object)
	if !asked || f.keeps(own, object) == theirs.Succeeded() || !isDecision(theirs) && !theirs.Succeeded() || !isDecision(own) && !own.Succeeded() {
		return
	}
	if named, _, there := f.kind.schema.Named(object, at.String()); there {
		v, _ := objects.Get(object, at)
		f.specimen.Disputed = append(f.specimen.Disputed, Value{path.String(named), v})
	}
}

// laid is an object with values of fields laid over it, and where they are.
type laid struct {
	object map[string]any
	at     map[string]objects.Location
}

// with lays values of fields over the specimen's object, of those that have one.
func (f *filling) with(group []string) laid {
	l := laid{f.specimen.Object, map[string]objects.Location{}}
	for _, field := range group {
		if at, ok := f.search(l.object, field); ok {
			l.object, l.at[field] = at.Object(), at.Held()
		}
	}
	l.object = copyOf(l.object)
	return l
}

// blamed returns the fields that places are in; where there is none of that kind, those that are in the places.
func (l laid) blamed(places []objects.Location) map[string]bool {
	in, around := map[string]bool{}, map[string]bool{}
	for field, held := range l.at {
		for _, at := range places {
			in[field] = in[field] || isPrefix(held, at)
			around[field] = around[field] || isPrefix(at, held)
		}
	}
	maps.DeleteFunc(in, func(_ string, is bool) bool { return !is })
	maps.DeleteFunc(around, func(_ string, is bool) bool { return !is })
	if len(in) > 0 {
		return in
	}
	return around
}

func isPrefix(of, at objects.Location) bool {
	return len(of) <= len(at) && slices.Equal(of, at[:len(of)])
}

// search searches a value of one field in an object that is valid without it.
func (f *filling) search(object map[string]any, field string) (*search.Search, bool) {
	var values []objects.Hint
	if v, known := f.known.values[field]; known {
		values = append(values, objects.Hint{Value: v})
	}
	for _, h := range f.hintsFor(Target{APIVersion: f.kind.APIVersion, Kind: f.kind.Kind, Path: field}) {
		if h.Path != "" && len(h.Needs) == 0 && len(h.Gates) == 0 {
			values = append(values, h)
		}
	}
	return search.New(search.Request{
		Kind: f.published, Path: field, Examples: []map[string]any{copyOf(object)}, Hints: valuesOnly(values), Pool: f.pool, OnlyExamples: true,
	})
}

// keeps reports whether the server accepted an object, and its answer holds all values of it: also
// those that a new value could have replaced.
func (f *filling) keeps(a client.Answer, object map[string]any) bool {
	lost, ok := f.lost(a, object)
	return ok && includes(f.unkept, lost)
}

// fits reports whether the other release complains about nothing in an object that it does not complain
// about in the object as it was found.
func (f *filling) fits(ctx context.Context, object map[string]any) bool {
	return includes(f.unfit, unfitIn(f.sendOther(ctx, object)))
}

// lost returns the values of an object that an answer does not show; false: it is refused.
func (f *filling) lost(a client.Answer, object map[string]any) (lost map[string]bool, ok bool) {
	answer, ok := decoded(a)
	if !a.Succeeded() || !ok {
		return nil, false
	}
	lost = map[string]bool{}
	is := f.kind.schema.Leaves(answer)
	for text, leaf := range f.kind.schema.Leaves(object) {
		got, has := is[text]
		if !strings.HasPrefix(text, ".metadata") && !isEmptyContainer(leaf.Value) && (!has || got.Semantic != leaf.Semantic) {
			lost[text] = true
		}
	}
	return lost, true
}

// maxRepairs is how many objects are sent for a field whose first value is refused.
const maxRepairs = 6

// repaired adds one field, with its first value or with the one that refusals lead to. A value that takes
// another field away is not worth it.
func (f *filling) repaired(ctx context.Context, field string) error {
	at, ok := f.search(f.specimen.Object, field)
	has := f.published.FieldsOf(f.specimen.Object)
	for n := 0; ok && n <= maxRepairs && f.tries < maxFills; n++ {
		f.tries++
		object := copyOf(at.Object())
		a := f.send(ctx, object)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		keeps := f.keeps(a, object)
		if n == 0 && !keeps {
			f.disputed(ctx, object, at.Held(), a)
		}
		switch {
		case a.Err != nil: // the server ends under it
			return nil
		case !a.Succeeded():
			ok = at.Repair(statusOf(a))
			continue
		}
		theirs, asked := f.sendOther(ctx, object)
		isFit := includes(f.unfit, unfitIn(theirs, asked))
		switch {
		case keeps && isFit && includes(f.published.FieldsOf(object), has):
			f.take(laid{object, map[string]objects.Location{field: at.Held()}})
			return nil
		case !isFit:
			if n == 0 && keeps {
				f.disputed(ctx, object, at.Held(), a)
			}
			ok = at.Repair(statusOf(theirs))
		default:
			ok = at.Dropped()
		}
	}
	f.learnt.refused[field] = true
	return nil
}

// includes reports whether a set has all of another.
func includes(set, other map[string]bool) bool {
	for name := range other {
		if !set[name] {
			return false
		}
	}
	return true
}

// enliven replaces the plain texts and small numbers that the object was filled with by others
// that a server may not leave alone: texts with capitals, and large numbers. Equal values stay
// equal: they may be two names of one. The target's value stays, and so do the keys that select it.
func (f *filling) enliven(ctx context.Context) error {
	var all []lively
	livelier(f.specimen.Object, nil, &all)
	all = slices.DeleteFunc(all, func(l lively) bool { return f.known.stiff[l.at.String()] })
	return f.replace(ctx, all[:min(len(all), maxFilled)])
}

// lively is a place with a value that is to be tried there.
type lively struct {
	at    objects.Location
	value any
}

// livelier collects the places below a value.
func livelier(value any, at objects.Location, all *[]lively) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if len(at) > 0 || !slices.Contains([]string{"apiVersion", "kind", "metadata", term.StatusPart}, name) {
				livelier(v[name], at.With(name), all)
			}
		}
	case []any:
		for i, element := range v {
			livelier(element, at.With(strconv.Itoa(i)), all)
		}
	case string:
		if v == search.PlainWord {
			*all = append(*all, lively{at, "Sample-Word"})
		}
	case int64:
		if v > 0 && v < 10 {
			*all = append(*all, lively{at, 1000 + v})
		}
	}
}

// replace puts values in their places, by halves if the server does not take all of them as they
// are.
func (f *filling) replace(ctx context.Context, all []lively) error {
	if len(all) == 0 || f.tries >= maxFills {
		return ctx.Err()
	}
	object := copyOf(f.specimen.Object)
	for _, l := range all {
		objects.Put(object, l.at, l.value)
	}
	if f.isHeldIn(object) {
		f.tries++
		if f.keeps(f.send(ctx, object), object) && f.fits(ctx, object) {
			f.specimen.Object = object
			return nil
		}
	}
	if len(all) == 1 {
		f.learnt.stiff[all[0].at.String()] = true
		return ctx.Err()
	}
	half := (len(all) + 1) / 2
	if err := f.replace(ctx, all[:half]); err != nil {
		return err
	}
	return f.replace(ctx, all[half:])
}

// isHeldIn reports whether an object holds the target's value as the specimen does, and at its place.
func (f *filling) isHeldIn(object map[string]any) bool {
	held, err := path.Parse(f.specimen.Held)
	if err != nil || len(held) == 0 {
		return true
	}
	was, had := path.Get(f.specimen.Object, held)
	is, has := path.Get(object, held)
	return has == had && objects.JSONText(is) == objects.JSONText(was)
}
