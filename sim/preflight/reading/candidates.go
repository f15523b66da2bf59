package reading

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/sim/client"
)

// candidate is a record with what its object decides about what is asked and tried.
type candidate struct {
	object // without a body unless the object is needed
	traits
	shape  string
	served bool
	// listed reports that the object is what a LIST shows, and needsGet that the server is asked for it with a GET.
	listed, needsGet bool
}

// candidates returns the records with their objects, as an earlier reading has them or a LIST shows them. A GET and a LIST differ in the way
// through the server, which is the same for all objects of a shape: the first of each shape, in the order of keys, is asked for too,
// and so is what no LIST shows.
func (t *pass) candidates(ctx context.Context, records []*Record) ([]*candidate, error) {
	all := make([]*candidate, len(records))
	for i, r := range records {
		form, served := t.form(r)
		all[i] = &candidate{object: object{Record: r, Form: form}, served: served, listed: served && t.takeObject(ctx, r, form)}
	}
	err := t.together(ctx, len(all), func(_ context.Context, i int) (err error) {
		if c := all[i]; c.Decodes() && len(t.Tries) > 0 {
			if c.object, err = parsed(c.Record, c.Form); err == nil {
				t.describe(c)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		c.needsGet = c.served && (!c.Decodes() || c.listed && t.first(c.Form.resource()+c.shape+" get"))
	}
	return all, ctx.Err()
}

// takeObject takes the object of a record from an earlier reading, if that stands, or from a LIST, and reports whether it is from a LIST. A
// LIST may show one object otherwise than a GET does. Dry runs would say so, so that a reading without any asks for each object.
func (t *pass) takeObject(ctx context.Context, r *Record, form Form) (listed bool) {
	p, of := t.precedents.of[r], form.resource()
	if p.stands() {
		r.Code, r.Object = p.before.Code, p.before.Object
		return false
	}
	if p.probe || len(t.Tries) == 0 || t.singly.has(of) || !slices.Contains(form.Verbs, "list") {
		return false
	}
	if t.items[of] == nil {
		t.items[of] = &items{pages: newPages(form)}
	}
	body := t.items[of].find(ctx, t.Conn, r)
	if body != nil {
		r.Code, r.Object = http.StatusOK, body
	}
	return body != nil
}

// describe notes the shape and the traits of an object.
func (t *pass) describe(c *candidate) {
	if c.shape = visibleShape(c.Record.APIVersion+" "+c.Kind, c.body); t.policed {
		c.shape = Shape(c.Record.APIVersion+" "+c.Kind, c.body)
	}
	if t.Beside {
		c.traits = c.object.traits(c.shape)
	}
}

// get asks for an object with a GET. If a LIST has shown something else of the same revision, its collection is read without LISTs.
func (t *pass) get(ctx context.Context, c *candidate) (err error) {
	listed := c.Object
	c.Code, c.Object = 0, nil
	if c.object, err = read(ctx, t.Conn, c.Record, c.Form); err != nil {
		return err
	}
	if c.Code == http.StatusNotFound && t.Has != nil {
		has, err := t.Has(ctx, c.Key)
		if c.Gone = !has; err != nil {
			return err
		}
	}
	if c.body != nil && len(t.Tries) > 0 {
		t.describe(c)
	}
	if listed != nil && c.contradicts(listed) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.contradicted.add(c.Form.resource())
	}
	return nil
}

// contradicts reports whether the answer to a GET is not what a LIST showed: a failure, or another object of the same revision.
func (r *Record) contradicts(listed []byte) bool {
	if !r.Decodes() {
		return !r.Gone && !r.Unanswered()
	}
	return revisionOf(r.Object) == revisionOf(listed) && !equal(r.Object, listed)
}

// agreesWith reports whether the answer to a dry run that labels an object shows the rest of it.
func (o object) agreesWith(answer []byte) bool {
	var labelled map[string]any
	return utiljson.Unmarshal(answer, &labelled) == nil && labelled != nil && reflect.DeepEqual(unlabelled(labelled), unlabelled(o.body))
}

// unlabelled returns an object without what a dry run that labels it changes.
func unlabelled(body map[string]any) map[string]any {
	rest, metadata := maps.Clone(body), maps.Clone(metadataOf(body))
	for _, changed := range []string{"managedFields", "resourceVersion", "generation"} {
		delete(metadata, changed)
	}
	if labels, has := metadata["labels"].(map[string]any); has {
		labels = maps.Clone(labels)
		delete(labels, labelled)
		if metadata["labels"] = labels; len(labels) == 0 {
			delete(metadata, "labels")
		}
	}
	rest["metadata"] = metadata
	return rest
}

// items are the objects of a collection as a LIST shows them, a page at a time: they come in the order of keys, as the stored values do.
type items struct {
	pages
	page []item
}

// item is an object of a LIST.
type item struct {
	place string // namespace and name, in the order of keys
	body  []byte // as a GET shows it
}

// find returns the object of a record; nil if the LIST does not show it. Records are asked for in the order of their keys.
func (s *items) find(ctx context.Context, conn *client.Connection, r *Record) []byte {
	wanted := s.form.key(r.Namespace, r.Name)
	for {
		for len(s.page) > 0 && s.page[0].place < wanted {
			s.page[0] = item{} // the page stays until its last object was asked for
			s.page = s.page[1:]
		}
		if len(s.page) > 0 && s.page[0].place == wanted {
			return s.page[0].body
		}
		if len(s.page) > 0 || s.token == "" {
			return nil
		}
		s.read(ctx, conn)
	}
}

// read reads the next page.
func (s *items) read(ctx context.Context, conn *client.Connection) {
	p, _ := s.pages.read(ctx, conn) // it is empty if it fails
	for _, body := range p.Items {
		var named struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Namespace string `json:"namespace"`
				Name      string `json:"name"`
			} `json:"metadata"`
		}
		if utiljson.Unmarshal(body, &named) != nil {
			continue // it is asked for with a GET
		}
		if named.Kind == "" {
			body = withKind(body, strings.TrimSuffix(p.Kind, "List"), p.APIVersion)
		}
		s.page = append(s.page, item{s.form.key(named.Metadata.Namespace, named.Metadata.Name), body})
	}
}

// withKind adds to an item of a LIST what those of built-in kinds do not repeat, in the place where a GET has it.
func withKind(body []byte, kind, apiVersion string) []byte {
	rest := bytes.TrimPrefix(bytes.TrimSpace(body), []byte("{"))
	return fmt.Appendf(nil, `{"kind":%q,"apiVersion":%q,%s`, kind, apiVersion, rest)
}

// key returns what orders the keys of the form's objects.
func (f Form) key(namespace, name string) string {
	if f.Namespaced {
		return namespace + "/" + name
	}
	return name
}
