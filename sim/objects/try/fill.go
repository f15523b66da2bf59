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
}

// fill adds the published fields to a specimen that the server accepts and keeps, in groups, and
// one by one where a group is refused. What it cannot add it leaves out. A kind of Kubernetes without a
// namespace stays as it is: with all its fields, such an object may act on every other, as a default
// does. No controller acts on what a definition defines: only there a status is filled too.
func fill(ctx context.Context, e *exerciser, k *kind, s *Specimen) error {
	custom := e.Custom || isCustom(k.APIVersion)
	if !custom && (!k.Namespaced || s.Subresource != "") || s.Subresource != "" && s.Subresource != term.StatusPart {
		return nil
	}
	f := &filling{exerciser: e, kind: k, published: k.generate, specimen: s, writer: writerOf(e, k, s)}
	f.published.Subresources = nil
	first := f.send(ctx, s.Object)
	f.unkept, _ = f.lost(first, s.Object)
	f.unfit = unfitIn(f.sendOther(ctx, s.Object))
	except := append(slices.Clone(s.Except), f.chosen(ctx, first)...)
	for group := range slices.Chunk(f.missing(except), together) {
		if err := f.add(ctx, group); err != nil {
			return err
		}
	}
	return f.enliven(ctx)
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
		return has[field] || f.kind.subresourceOf(field) != f.specimen.Subresource || depth(field) > maxDeep && !f.isBeside(field) || slices.ContainsFunc(except, within)
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

// add adds a group of fields, by halves if the server refuses it.
func (f *filling) add(ctx context.Context, group []string) error {
	group = slices.DeleteFunc(slices.Clone(group), func(field string) bool { return f.published.FieldsOf(f.specimen.Object)[field] })
	if len(group) == 0 || f.tries >= maxFills {
		return nil
	}
	object, some := f.with(group)
	if !some {
		return nil
	}
	f.tries++
	a := f.send(ctx, object)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f.keeps(a, object) && f.fits(ctx, object) {
		f.specimen.Object = object
		return nil
	}
	if len(group) == 1 && a.Err != nil { // the server ends under it
		return nil
	}
	if len(group) == 1 {
		f.dispute(ctx, group[0], a)
		return f.repaired(ctx, group[0])
	}
	half := (len(group) + 1) / 2
	if err := f.add(ctx, group[:half]); err != nil {
		return err
	}
	return f.add(ctx, group[half:])
}

// dispute notes the value of a field if one release accepts it in the object, and the other one refuses it.
func (f *filling) dispute(ctx context.Context, field string, own client.Answer) {
	at, ok := f.search(f.specimen.Object, field)
	if !ok || !f.specimen.Both {
		return
	}
	object := copyOf(at.Object())
	theirs, asked := f.sendOther(ctx, object)
	if !asked || f.keeps(own, object) == theirs.Succeeded() || !isDecision(theirs) && !theirs.Succeeded() || !isDecision(own) && !own.Succeeded() {
		return
	}
	if named, _, there := f.kind.schema.Named(object, at.Held().String()); there {
		v, _ := objects.Get(object, at.Held())
		f.specimen.Disputed = append(f.specimen.Disputed, Value{path.String(named), v})
	}
}

// with lays values of fields over the specimen's object; false if none has a value.
func (f *filling) with(group []string) (object map[string]any, some bool) {
	object = f.specimen.Object
	for _, field := range group {
		if at, ok := f.search(object, field); ok {
			object, some = at.Object(), true
		}
	}
	return copyOf(object), some
}

// search searches a value of one field in an object that is valid without it.
func (f *filling) search(object map[string]any, field string) (*search.Search, bool) {
	var values []objects.Hint
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

// repaired adds one field with the value that the server's refusals lead to. A value that takes
// another field away is not worth it.
func (f *filling) repaired(ctx context.Context, field string) error {
	at, ok := f.search(f.specimen.Object, field)
	has := f.published.FieldsOf(f.specimen.Object)
	for n := 0; ok && n < maxRepairs && f.tries < maxFills; n++ {
		f.tries++
		object := copyOf(at.Object())
		a := f.send(ctx, object)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		theirs, asked := f.sendOther(ctx, object)
		isFit := includes(f.unfit, unfitIn(theirs, asked))
		switch {
		case f.keeps(a, object) && isFit && includes(f.published.FieldsOf(object), has):
			f.specimen.Object = object
			return nil
		case a.Err != nil:
			return nil
		case !a.Succeeded():
			ok = at.Repair(statusOf(a))
		case !isFit:
			ok = at.Repair(statusOf(theirs))
		default:
			ok = at.Dropped()
		}
	}
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
