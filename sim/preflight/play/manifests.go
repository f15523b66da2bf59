package play

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
)

// Manifests are objects that no server has stored yet, as a source: a server of the release that they
// are of creates them, and what it stores is taken.
type Manifests struct {
	All             []cluster.Object
	Coverage        cluster.Coverage
	Release, Stated string
}

// intake is one filling of a copy from manifests.
type intake struct {
	Copy
	creator
	batch
	fields *mask.Fields
	kinds  map[string]published.Resource // by apiVersion and kind
	// converted are the kinds, in versions that only a conversion webhook could store.
	converted map[string]bool
	left      map[string]int // why objects were not sent to the server: how many
	needs     cluster.Needs
	listed    []*declared
}

// Fill has a server create every object, and puts what it stored into the copy.
func (m Manifests) Fill(ctx context.Context, c Copy) (_ Taken, err error) {
	s, err := c.Start(ctx)
	if err != nil {
		return Taken{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	i := &intake{
		Copy: c, creator: creator{s.Conn, time.Second}, fields: mask.FieldsOf(c.Release), kinds: map[string]published.Resource{},
		converted: map[string]bool{}, left: map[string]int{}, needs: cluster.Needs{},
		batch: batch{put: c.Put, by: c.Programs, taken: Taken{Source: preflight.Source{Kind: preflight.Manifests, Release: m.Release, Stated: m.Stated}, Beside: map[string][]byte{}}},
	}
	i.taken.cover(m.Coverage)
	for _, r := range c.Release.Resources {
		i.kinds[r.APIVersion+" "+r.Kind] = r
	}
	if err := i.create(ctx, m.All); err != nil {
		return i.taken, err
	}
	if err := i.store(ctx, s); err != nil {
		return i.taken, err
	}
	i.account()
	return i.taken, i.flush(ctx)
}

// create has the server create everything, rank by rank.
func (i *intake) create(ctx context.Context, all []cluster.Object) error {
	by := make([][]cluster.Object, cluster.Ranks)
	for _, o := range all {
		rank := cluster.Rank(o.Group(), o.Kind)
		by[rank] = append(by[rank], o)
	}
	definitions := i.declare(by[cluster.Definitions])
	if err := i.creator.all(ctx, definitions); err != nil {
		return err
	}
	i.established(ctx, definitions)
	i.define(definitions)
	for rank := cluster.Namespaces; rank < cluster.Ranks; rank++ {
		list := i.declare(by[rank])
		for _, d := range list {
			i.needs.Note(d.Object)
		}
		if rank >= cluster.Plain {
			if err := i.beside(ctx); err != nil {
				return err
			}
		}
		if err := i.creator.all(ctx, list); err != nil {
			return err
		}
		for _, d := range list {
			i.unused(ctx, d)
		}
	}
	return i.answers(ctx)
}

// answers returns an error if the server ended: then it refused nothing.
func (i *intake) answers(ctx context.Context) error {
	if !slices.ContainsFunc(i.listed, func(d *declared) bool { return d.answer.Code == 0 && d.answer.Panic == nil }) {
		return nil
	}
	if _, err := client.Version(ctx, i.conn); err != nil {
		return fmt.Errorf("create the objects of the manifests: the server of %s ended: %w", i.Release.Version, err)
	}
	return nil
}

// beside creates what the objects need and the manifests do not have.
func (i *intake) beside(ctx context.Context) error {
	var list []*declared
	has := func(kind, name string) bool {
		return slices.ContainsFunc(i.listed, func(d *declared) bool { return d.created() && d.Kind == kind && d.Name == name })
	}
	for _, o := range i.needs.Without(has) {
		if r, served := i.kinds[o.APIVersion+" "+o.Kind]; served {
			list = append(list, &declared{Object: o, collection: client.Resource{APIVersion: o.APIVersion, Plural: r.Plural}.Collection(), beside: true})
		}
	}
	i.listed = append(i.listed, list...)
	return i.creator.all(ctx, list)
}

// declare returns what is to be created of some objects, in their order. Of those that have one name the
// last one counts, as with kubectl apply.
func (i *intake) declare(all []cluster.Object) (list []*declared) {
	at := map[string]int{}
	for _, o := range all {
		r := i.kinds[o.APIVersion+" "+o.Kind]
		if why := i.against(o, r); why != "" {
			i.left[why]++
			continue
		}
		if o.Namespace = cmp.Or(o.Namespace, unnamed); !r.Namespaced {
			o.Namespace = ""
		}
		d := &declared{collection: client.Resource{APIVersion: o.APIVersion, Plural: r.Plural, Namespace: o.Namespace}.Collection()}
		if o.Body, d.converts = i.alone(o); o.Body == nil {
			continue
		}
		o.Body = plain(o.Body, o.Namespace)
		d.Object = o
		if earlier, twice := at[o.String()]; twice {
			i.skip("an earlier "+o.String(), list[earlier].Place, "a later one replaces it, in "+o.Place)
			list[earlier] = d
			continue
		}
		at[o.String()] = len(list)
		list = append(list, d)
	}
	i.listed = append(i.listed, list...)
	return list
}

// against returns why an object is not sent to the server; "" if it is.
func (i *intake) against(o cluster.Object, r published.Resource) string {
	switch {
	case i.converted[o.APIVersion+" "+o.Kind]:
		return fmt.Sprintf("%s %s: is stored in another version, which needs its conversion webhook", o.APIVersion, o.Kind)
	case r.Kind == "":
		return unserved(o, i.Release.Version)
	case !slices.Contains(r.Verbs, "create") || !slices.Contains(r.Verbs, "get"):
		return fmt.Sprintf("%s %s: %s", o.APIVersion, o.Kind, notStored)
	}
	return ""
}

// skip notes something that is not judged, and where it is.
func (i *intake) skip(what, place, why string) {
	i.taken.Skipped = append(i.taken.Skipped, fmt.Sprintf("%s: in %s: %s", what, place, why))
}

// define adds the kinds of definitions that the server created. A kind whose conversion webhook was taken
// out is created in the version that it is stored in alone.
func (i *intake) define(definitions []*declared) {
	for _, d := range definitions {
		var c struct {
			Spec struct {
				Group, Scope string
				Names        struct{ Kind, Plural string }
				Versions     []struct {
					Name            string
					Served, Storage bool
					Schema          struct{ OpenAPIV3Schema json.RawMessage }
				}
			}
		}
		if !d.created() || json.Unmarshal(d.Body, &c) != nil {
			continue
		}
		for _, v := range c.Spec.Versions {
			r := published.Resource{APIVersion: c.Spec.Group + "/" + v.Name, Kind: c.Spec.Names.Kind, Plural: c.Spec.Names.Plural, Namespaced: c.Spec.Scope == "Namespaced", Verbs: []string{"create", "get"}}
			if name := r.APIVersion + " " + r.Kind; v.Served && i.kinds[name].Kind == "" {
				i.kinds[name], i.converted[name] = r, d.converts && !v.Storage
				i.fields.Define(r.APIVersion, r.Kind, v.Schema.OpenAPIV3Schema)
			}
		}
	}
}

// store puts what the server stored of the objects into the copy, with what it stored beside them since then,
// such as the address of a Service.
func (i *intake) store(ctx context.Context, s Server) error {
	created, patched, first := map[int64]*declared{}, map[int64]*declared{}, int64(math.MaxInt64)
	for _, d := range i.listed {
		switch {
		case d.patched && d.created():
			patched[d.revision] = d
		case d.created():
			created[d.revision], first = d, min(first, d.revision)
		}
	}
	return s.Stored(ctx, func(key string, value []byte, createdAt, writtenAt int64) error {
		d := cmp.Or(created[createdAt], patched[writtenAt])
		if d != nil && !d.beside {
			d.kept = true
			return i.keep(ctx, key, value)
		}
		if createdAt >= first {
			i.taken.Beside[key] = value
		}
		return nil
	})
}

// account notes what was not taken, and what was dropped.
func (i *intake) account() {
	for _, d := range i.listed {
		switch {
		case d.beside:
		case !d.created():
			i.taken.NotTaken++
			i.taken.NotRead = append(i.taken.NotRead, d.String())
			i.skip(d.String(), d.Place, i.Release.Version+" refuses it: "+i.refusal(d))
		case !d.kept:
			i.taken.NotTaken++
			i.skip(d.String(), d.Place, "servers write it by themselves")
		default:
			i.dropped(d)
		}
	}
	i.taken.leave(i.left)
	slices.Sort(i.taken.Skipped)
}

// refusal is what the server said, without values of the object.
func (i *intake) refusal(d *declared) string {
	try := reading.Answered(reading.Create, d.answer)
	seen := preflight.Seen{Release: i.Release.Version, Fields: i.fields, Record: &reading.Record{APIVersion: d.APIVersion, Kind: d.Kind, Form: d.APIVersion, Object: d.Body}}
	text := preflight.Refusal(seen, preflight.Up, try).Message
	if slices.ContainsFunc(try.Causes, func(c reading.Cause) bool {
		return strings.HasPrefix(c.Field, "spec.clusterIP") || strings.HasSuffix(c.Field, ".nodePort")
	}) {
		text += "; the ranges of your servers are taken from --server-flags"
	}
	return text
}

// dropped notes the fields that the server did not know, and so did not store. Their names are the
// user's.
func (i *intake) dropped(d *declared) {
	var below []string
	for _, w := range d.answer.Warnings {
		field, is := strings.CutPrefix(w, `unknown field "`)
		if !is {
			continue
		}
		at := "the top"
		if end := strings.LastIndex(field, "."); end > 0 && i.Release.Documents[d.APIVersion] != nil {
			at = cmp.Or(i.fields.Path(d.APIVersion, d.Kind, "."+field[:end]), at)
		} else if end > 0 {
			at = "a field"
		}
		if !slices.Contains(below, at) {
			below = append(below, at)
		}
	}
	if len(below) > 0 {
		i.skip("fields of "+d.String(), d.Place, i.Release.Version+" does not know and drops what is below "+strings.Join(below, ", "))
	}
	if unset := i.unset(d); len(unset) > 0 {
		i.skip("fields of "+d.String(), d.Place, i.Release.Version+" drops "+strings.Join(unset, ", ")+" without a warning, as it does while a feature gate is off")
	}
}

// unset returns the fields that were sent, and that the answer does not have, although the server knows them.
// What has an empty value or only a server writes, and what servers never show again, is not asked for.
func (i *intake) unset(d *declared) (all []string) {
	var sent, got map[string]any
	if d.converts || i.Release.Documents[d.APIVersion] == nil || json.Unmarshal(d.Body, &sent) != nil || json.Unmarshal(d.answer.Body, &got) != nil {
		return nil
	}
	for _, name := range []string{"apiVersion", "kind", "metadata", "status", "stringData"} {
		delete(sent, name)
	}
	for _, at := range (schema.Kind{}).Compare(whole(filled(sent)), got).Hidden {
		unknown := slices.ContainsFunc(d.answer.Warnings, func(w string) bool {
			field, is := strings.CutPrefix(w, `unknown field "`)
			field = "." + strings.TrimSuffix(field, `"`)
			return is && (preflight.Above(at, field) || preflight.Above(field, at))
		})
		if path := i.fields.Path(d.APIVersion, d.Kind, at); !unknown && path != "" && !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

// whole returns a value as an object.
func whole(node any) map[string]any {
	object, _ := node.(map[string]any)
	return object
}

// filled returns a value without members that are empty.
func filled(node any) any {
	switch n := node.(type) {
	case map[string]any:
		for name, v := range n {
			switch below := filled(v).(type) {
			case nil:
				delete(n, name)
			default:
				n[name] = below
			}
		}
		if len(n) == 0 {
			return nil
		}
	case []any:
		for at, v := range n {
			if below := filled(v); below != nil {
				n[at] = below
			}
		}
		if len(n) == 0 {
			return nil
		}
	case string, bool, float64:
		if n == "" || n == false || n == 0.0 {
			return nil
		}
	}
	return node
}
