package reading

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// pager reads the objects of one kind ahead, in one version: a page of a LIST shows as much as a GET of each object on
// it. A LIST has the order of the keys, so that what the stored values come to is on the next page.
type pager struct {
	form  Form
	items map[string]json.RawMessage // that were read and not taken, by namespace and name
	more  string                     // the next page; "": there is none
	// off says that objects are asked for one by one, since the LIST fails, lacks one, or shows another than a GET does:
	// then it is read once more, beside all of them.
	off bool
	// bytes is how long the items are.
	bytes int
	// missed says that the LIST lacks an object which is stored.
	missed bool
	// shown is how many objects the LIST has shown, those included that were written since.
	shown int
	// verified are the shapes of which a GET has shown what the LIST does.
	verified map[string]bool
}

// aheadAtMost is how many items are kept that no stored value has come to, and aheadBytes how long they may be in all.
const aheadAtMost, aheadBytes = 4 * batch, 32 << 20

// pagerOf returns the pager of an object; nil for a kind that has no LIST.
func (t *taking) pagerOf(r *Record) *pager {
	form, served := t.form(r)
	if !served || !form.lists() {
		return nil
	}
	return t.pagers[form.collectionName()]
}

// ahead reads the pages that have the records. A LIST that was not begun yet is begun.
func (t *taking) ahead(ctx context.Context, records []*Record) error {
	wanted, order := map[*pager][]string{}, []*pager{}
	for _, r := range records {
		form, served := t.form(r)
		if !served || !form.lists() {
			continue
		}
		name := form.collectionName()
		if t.pagers[name] == nil {
			t.pagers[name] = &pager{form: form, items: map[string]json.RawMessage{}, more: "first", verified: map[string]bool{}}
		}
		p := t.pagers[name]
		if wanted[p] == nil {
			order = append(order, p)
		}
		wanted[p] = append(wanted[p], nameIn(r.Namespace, r.Name))
	}
	return t.together(ctx, len(order), func(ctx context.Context, i int) error {
		return order[i].read(ctx, t, wanted[order[i]])
	})
}

// read reads pages until they have all names, or there are no more. What is before the first name was stored in another
// version, or is gone.
func (p *pager) read(ctx context.Context, t *taking, names []string) error {
	for name, item := range p.items {
		if name < names[0] {
			p.drop(name, item)
		}
	}
	has := func() bool {
		for _, name := range names {
			if p.items[name] == nil {
				return false
			}
		}
		return true
	}
	for !p.off && p.more != "" && len(p.items) < aheadAtMost && p.bytes < aheadBytes && !has() {
		l := listing{collection: &collection{form: p.form}, conn: t.Conn}
		got, a := l.page(ctx, p.more)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !a.Succeeded() {
			p.stop()
			return nil
		}
		for _, item := range got.Items {
			var short struct {
				Metadata struct{ Namespace, Name string }
			}
			if json.Unmarshal(item, &short) != nil {
				p.stop()
				return nil
			}
			p.items[nameIn(short.Metadata.Namespace, short.Metadata.Name)] = item
			p.bytes += len(item)
		}
		p.more = got.Metadata.Continue
	}
	return nil
}

// stop has all further objects be asked for.
func (p *pager) stop() { p.off, p.items = true, map[string]json.RawMessage{} }

func (p *pager) drop(name string, item json.RawMessage) {
	delete(p.items, name)
	p.bytes -= len(item)
}

// take returns what the LIST shows of a record, as a GET shows it; false if the record is to be asked for.
func (p *pager) take(r *Record) ([]byte, bool) {
	name := nameIn(r.Namespace, r.Name)
	item := p.items[name]
	if item == nil {
		p.missed = true
		return nil, false
	}
	p.drop(name, item)
	const first = `{"metadata":`
	if !bytes.HasPrefix(item, []byte(first)) {
		return item, true // custom resources name their kind everywhere
	}
	whole := fmt.Appendf(nil, `{"kind":%s,"apiVersion":%s,`, strconv.Quote(r.Kind), strconv.Quote(p.form.APIVersion))
	return append(whole, item[1:]...), true
}

// nameIn names an object of a kind.
func nameIn(namespace, name string) string { return namespace + "/" + name }

// clean reports whether a LIST has shown each of the objects that are stored of a kind in a version, as a GET does.
func (t *taking) clean(name string, objects int) bool {
	p := t.pagers[name]
	return p != nil && !p.off && !p.missed && p.more == "" && p.shown == objects
}

// shownAhead returns what a page has shown of a record; false if it is to be asked for, since no page has it, or it was
// written since.
func (t *taking) shownAhead(r *Record) (object, bool) {
	form, _ := t.form(r)
	o := object{Record: r, Form: form, ahead: true}
	p := t.pagerOf(r)
	if p == nil {
		return o, false
	}
	if o.shown = t.takeFrom(p, r); o.shown == nil || utiljson.Unmarshal(o.shown, &o.body) != nil {
		return o, false
	}
	revision, _ := metadataOf(o.body)["resourceVersion"].(string)
	if revision != strconv.FormatInt(r.Revision, 10) {
		return o, false
	}
	r.Code, r.Object = http.StatusOK, o.shown
	return o, true
}

// takeFrom takes a record from a pager, and counts it; nil for none.
func (t *taking) takeFrom(p *pager, r *Record) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	body, shown := p.take(r)
	if shown {
		p.shown++
	}
	return body
}

// verify asks for one object of each shape that LISTs have shown. Where a GET shows another object, or none, all of its
// kind are asked for: those of the batch, and all that come.
func (t *taking) verify(ctx context.Context, objects []object, shapes []string) error {
	var samples []int
	chosen := map[string]bool{}
	for i, o := range objects {
		if o.ahead && o.body != nil && !t.pagerOf(o.Record).verified[shapes[i]] && !chosen[shapes[i]] {
			chosen[shapes[i]], samples = true, append(samples, i)
		}
	}
	answers := make([]comparison, len(samples))
	err := t.together(ctx, len(samples), func(ctx context.Context, i int) (err error) {
		answers[i], err = t.compare(ctx, objects[samples[i]])
		return err
	})
	if err != nil {
		return err
	}
	for i, at := range samples {
		switch p := t.pagerOf(objects[at].Record); answers[i] {
		case equal:
			p.verified[shapes[at]] = true
		case different:
			p.stop()
		}
	}
	return t.together(ctx, len(objects), func(ctx context.Context, i int) (err error) {
		if o := objects[i]; o.ahead && o.body != nil && t.pagerOf(o.Record).off {
			o.Record.Code, o.Record.Message, o.Record.Object = 0, "", nil
			objects[i], err = t.one(ctx, o.Record)
			shapes[i] = objects[i].shape()
		}
		return err
	})
}

// comparison is what a GET says of what a LIST has shown.
type comparison int

const (
	unknown   comparison = iota // the object was written in between
	equal                       // both show the same
	different                   // they differ, or the GET shows nothing
)

// compare asks for an object that a LIST has shown.
func (t *taking) compare(ctx context.Context, o object) (comparison, error) {
	r := *o.Record
	r.Code, r.Message, r.Object = 0, "", nil
	now, err := read(ctx, t.Conn, &r, o.Form)
	switch {
	case err != nil:
		return unknown, err
	case now.body == nil:
		return different, nil
	case metadataOf(now.body)["resourceVersion"] != metadataOf(o.body)["resourceVersion"]:
		return unknown, nil
	case reflect.DeepEqual(now.body, o.body):
		return equal, nil
	}
	return different, nil
}
