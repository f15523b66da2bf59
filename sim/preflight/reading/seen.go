package reading

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/sim/client"
)

// seen is a record with what its object decides about what is asked and tried.
type seen struct {
	object // without a body unless the object is needed
	traits
	shape string
	// asks reports that the server is asked for the object with a GET.
	asks bool
}

// look returns the records with their objects, as an earlier reading has them or a LIST shows them. A GET and a LIST differ in the way
// through the server, which is the same for all objects of a shape: the first of each shape, in the order of keys, is asked for too,
// and so is what no LIST shows, or a dry run does not show as the LIST does.
func (t *pass) look(ctx context.Context, records []*Record) ([]*seen, error) {
	for _, r := range records {
		t.show(ctx, r)
	}
	all := make([]*seen, len(records))
	err := t.together(ctx, len(records), func(ctx context.Context, i int) (err error) {
		all[i], err = t.seen(records[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		_, served := t.form(s.Record)
		s.asks = served && (!s.Decodes() || t.byList[s.Record] && t.first(s.Form.resource()+s.shape+" get"))
	}
	return all, ctx.Err()
}

// show takes the object of a record from an earlier reading, if that stands, or from a LIST, unless a LIST and a GET of its collection
// have disagreed.
func (t *pass) show(ctx context.Context, r *Record) {
	form, served := t.form(r)
	p := t.precedents.of[r]
	switch of := form.resource(); {
	case !served:
	case p.stands():
		r.Code, r.Object = p.before.Code, p.before.Object
	case !p.probe && slices.Contains(form.Verbs, "list") && !t.precedents.stale.has(of):
		if t.items[of] == nil {
			t.items[of] = &items{form: form, token: firstPage}
		}
		if body := t.items[of].find(ctx, t.Conn, r); body != nil {
			r.Code, r.Object, t.byList[r] = http.StatusOK, body, true
		}
	}
}

// seen returns a record with its object, if that says anything about what is asked.
func (t *pass) seen(r *Record) (*seen, error) {
	form, _ := t.form(r)
	s := &seen{object: object{Record: r, Form: form}}
	if !r.Decodes() || len(t.Tries) == 0 && !t.byList[r] {
		return s, nil
	}
	var err error
	if s.object, err = parsed(r, form); err == nil {
		t.describe(s)
	}
	return s, err
}

// describe notes the shape and the traits of an object.
func (t *pass) describe(s *seen) {
	if s.shape = visibleShape(s.Record.APIVersion+" "+s.Kind, s.body); t.policed {
		s.shape = Shape(s.Record.APIVersion+" "+s.Kind, s.body)
	}
	if t.Beside {
		s.traits = s.object.traits(s.shape)
	}
}

// ask asks for an object with a GET. If a LIST has shown something else of the same revision, its collection is read without LISTs.
func (t *pass) ask(ctx context.Context, s *seen) (err error) {
	listed := s.Object
	s.Code, s.Object = 0, nil
	if s.object, err = read(ctx, t.Conn, s.Record, s.Form); err != nil {
		return err
	}
	if s.Code == http.StatusNotFound && t.Has != nil {
		has, err := t.Has(ctx, s.Key)
		if s.Gone = !has; err != nil {
			return err
		}
	}
	if s.body != nil {
		t.describe(s)
	}
	if listed != nil && s.contradicts(listed) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.precedents.found.add(s.Form.resource())
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

// shows reports whether the answer to a dry run that labels an object shows the rest of it.
func (o object) shows(answer []byte) bool {
	var labelled map[string]any
	return utiljson.Unmarshal(answer, &labelled) == nil && reflect.DeepEqual(unlabelled(labelled), unlabelled(o.body))
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
	form  Form
	page  []item
	token string // of the next page; "": there is none
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

// read reads the next page. There is none after one that fails.
func (s *items) read(ctx context.Context, conn *client.Connection) {
	p, a := readPage(ctx, conn, s.form, s.token)
	if s.token = p.Metadata.Continue; !a.Succeeded() {
		s.token = ""
		return
	}
	for _, body := range p.Items {
		var named struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Namespace string `json:"namespace"`
				Name      string `json:"name"`
			} `json:"metadata"`
		}
		if json.Unmarshal(body, &named) != nil {
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
