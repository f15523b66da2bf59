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
	// shown is how many objects the LIST has shown, those included that were written since.
	shown int
	// verified are the shapes of which a GET has shown what the LIST does.
	verified map[string]bool
}

// aheadAtMost is how many items are kept that no stored value has come to.
const aheadAtMost = 4 * batch

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

// read reads pages until they have all names, or there are no more.
func (p *pager) read(ctx context.Context, t *taking, names []string) error {
	has := func() bool {
		for _, name := range names {
			if p.items[name] == nil {
				return false
			}
		}
		return true
	}
	for !p.off && p.more != "" && len(p.items) < aheadAtMost && !has() {
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
		}
		p.more = got.Metadata.Continue
	}
	return nil
}

// stop has all further objects be asked for.
func (p *pager) stop() { p.off, p.items = true, map[string]json.RawMessage{} }

// take returns what the LIST shows of a record, as a GET shows it; false if the record is to be asked for.
func (p *pager) take(r *Record) ([]byte, bool) {
	name := nameIn(r.Namespace, r.Name)
	item := p.items[name]
	delete(p.items, name)
	if item == nil || p.off {
		return nil, false
	}
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
	return p != nil && !p.off && p.shown == objects
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
	for i, o := range objects {
		if p := t.pagerOf(o.Record); o.ahead && !p.verified[shapes[i]] {
			p.verified[shapes[i]] = true
			samples = append(samples, i)
		}
	}
	disagree := make([]bool, len(samples))
	err := t.together(ctx, len(samples), func(ctx context.Context, i int) (err error) {
		disagree[i], err = t.disagrees(ctx, objects[samples[i]])
		return err
	})
	if err != nil {
		return err
	}
	for i, at := range samples {
		if disagree[i] {
			t.pagerOf(objects[at].Record).stop()
		}
	}
	return t.together(ctx, len(objects), func(ctx context.Context, i int) (err error) {
		if o := objects[i]; o.ahead && t.pagerOf(o.Record).off {
			o.Record.Code, o.Record.Message, o.Record.Object = 0, "", nil
			objects[i], err = t.one(ctx, o.Record)
		}
		return err
	})
}

// disagrees reports whether a GET shows something else of an object's revision than its LIST did.
func (t *taking) disagrees(ctx context.Context, o object) (bool, error) {
	r := *o.Record
	r.Code, r.Message, r.Object = 0, "", nil
	now, err := read(ctx, t.Conn, &r, o.Form)
	switch {
	case err != nil:
		return false, err
	case now.body == nil:
		return true, nil // all are asked for, and so is this one: it may be gone
	}
	return revisionOf(r.Object) == revisionOf(o.Record.Object) && !reflect.DeepEqual(now.body, o.body), nil
}
