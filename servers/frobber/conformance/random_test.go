package conformance_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var seed = flag.Uint64("seed", 1, "of the random sequences that TestKubernetesAgreementAtRandom plays")

const (
	randomSequences = 40
	randomSteps     = 12
)

// TestKubernetesAgreementAtRandom plays sequences that nobody thought of.
func TestKubernetesAgreementAtRandom(t *testing.T) {
	s := bothSides(t, agreed)
	t.Logf("-seed %d", *seed)
	for i := range randomSequences {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d := &dice{rand.New(rand.NewPCG(*seed, uint64(i)))}
			lines := []string{"create a " + text(d.object())}
			for range randomSteps - 1 {
				lines = append(lines, d.line())
			}
			s.agree(t, fmt.Sprintf("random-%d", i), lines)
			if t.Failed() {
				t.Logf("-seed %d, sequence %d:\n%s", *seed, i, strings.Join(lines, "\n"))
			}
		})
	}
}

// dice throw requests. Of the fields that have no zero of their own (see the
// differences) they take none away by an update.
type dice struct{ *rand.Rand }

type fields = map[string]any

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was made here
	}
	return string(b)
}

// once in n times.
func (d *dice) once(n int) bool { return d.IntN(n) == 0 }

func (d *dice) one(of ...string) string { return of[d.IntN(len(of))] }

func (d *dice) line() string {
	lines := []func() string{
		func() string { return "create a" + d.query() + " " + text(d.object()) },
		func() string { return "put a" + d.query() + " " + text(d.versioned(d.object())) },
		func() string { return "json a" + d.query() + " " + text(d.operations()) },
		func() string { return "merge a" + d.query() + " " + text(d.versioned(d.merge())) },
		func() string { return "strategic a" + d.query() + " " + text(d.versioned(d.strategic())) },
		d.apply, d.apply, d.apply,
		d.status,
		d.scale,
		func() string { return d.one("delete a", "delete a?dryRun=All", "get a/scale", "list") },
	}
	return lines[d.IntN(len(lines))]()
}

func (d *dice) query() string {
	switch d.IntN(6) {
	case 0:
		return "?dryRun=All"
	case 1, 2:
		return "?fieldManager=" + d.one("other", "m")
	}
	return ""
}

// versioned asks, now and then, for a resourceVersion.
func (d *dice) versioned(f fields) fields {
	if d.once(8) {
		metadata, _ := f["metadata"].(fields)
		if metadata == nil {
			metadata = fields{}
			f["metadata"] = metadata
		}
		metadata["resourceVersion"] = d.one("$rv", "$oldrv")
	}
	return f
}

func (d *dice) object() fields {
	spec := fields{"height": d.height(), "param": d.one("p", "q")}
	if d.once(2) {
		spec["replicas"] = d.IntN(4)
	}
	if !d.once(3) {
		spec["parts"] = d.parts()
	}
	o := fields{"spec": spec}
	if d.once(3) {
		o["metadata"] = fields{"labels": fields{"l": d.one("1", "2")}, "finalizers": []string{"a.example.com/f"}}
	}
	return o
}

func (d *dice) height() int {
	if d.once(12) {
		return -1
	}
	return 1 + d.IntN(4)
}

// parts are some, in any order.
func (d *dice) parts() []any {
	var all []any
	for _, i := range d.Perm(4)[:d.IntN(4)] {
		all = append(all, d.part(string("wxyz"[i])))
	}
	if all == nil {
		return []any{}
	}
	return all
}

func (d *dice) part(name string) fields {
	p := fields{"name": name}
	if d.once(2) {
		p["size"] = 1 + d.IntN(3)
	}
	return p
}

func (d *dice) operations() []any {
	var all []any
	for range 1 + d.IntN(3) {
		n := fmt.Sprint(d.IntN(3))
		all = append(all, []fields{
			{"op": "test", "path": "/spec/height", "value": d.height()},
			{"op": "replace", "path": "/spec/height", "value": d.height()},
			{"op": "add", "path": "/spec/parts/-", "value": d.part(d.one("w", "x", "y", "z"))},
			{"op": "add", "path": "/spec/parts/" + n, "value": d.part(d.one("w", "x", "y", "z"))},
			{"op": "remove", "path": "/spec/parts/" + n},
			{"op": "replace", "path": "/spec/parts/" + n + "/size", "value": d.IntN(3) + 1},
			{"op": "add", "path": "/spec/parts/" + n + "/size", "value": d.IntN(3) + 1},
			{"op": "remove", "path": "/spec/parts/" + n + "/size"},
			{"op": "remove", "path": "/spec/replicas"},
			{"op": "remove", "path": "/spec/parts"},
			{"op": "add", "path": "/spec/parts", "value": d.parts()},
			{"op": "add", "path": "/metadata/labels", "value": fields{"l": "3"}},
			{"op": "remove", "path": "/metadata/finalizers"},
			{"op": "copy", "from": "/spec/parts/0/size", "path": "/spec/parts/1/size"},
		}[d.IntN(14)])
	}
	return all
}

func (d *dice) merge() fields {
	spec, metadata := fields{}, fields{}
	if d.once(2) {
		spec["height"] = d.height()
	}
	if d.once(3) {
		spec["replicas"] = nil
	}
	if d.once(2) {
		spec["parts"] = d.parts()
	}
	if d.once(5) {
		spec["parts"] = nil
	}
	if d.once(3) {
		metadata["labels"] = fields{"l": nil, "m": d.one("1", "2")}
	}
	if d.once(4) {
		metadata["finalizers"] = nil
	}
	return fields{"spec": spec, "metadata": metadata}
}

func (d *dice) strategic() fields {
	patch := d.merge()
	spec := patch["spec"].(fields)
	list, ok := spec["parts"].([]any)
	if !ok {
		return patch
	}
	var order []any
	for i, p := range list {
		part := p.(fields)
		switch d.IntN(4) {
		case 0:
			list[i] = fields{"name": part["name"], "$patch": "delete"}
			continue
		case 1:
			part["size"] = nil
		}
		order = append(order, fields{"name": part["name"]})
	}
	switch {
	case d.once(6):
		spec["parts"] = append([]any{fields{"$patch": "replace"}}, list...)
	case d.once(2) && order != nil:
		spec["$setElementOrder/parts"] = append(order, fields{"name": "v"})
	}
	return patch
}

func (d *dice) apply() string {
	query := "?fieldManager=" + d.one("m", "n")
	if d.once(2) {
		query += "&force=true"
	}
	if d.once(8) {
		query += "&dryRun=All"
	}
	config := d.object()
	spec := config["spec"].(fields)
	for _, field := range []string{"height", "param", "parts"} {
		if d.once(3) {
			delete(spec, field)
		}
	}
	if d.once(3) {
		spec["parts"] = append(d.parts(), d.part("v"))
	}
	return "apply a" + query + " " + text(d.versioned(config))
}

func (d *dice) status() string {
	condition := fields{
		"type": d.one("Ready", "Big"), "status": d.one("True", "False"), "reason": "R", "message": "m",
		"lastTransitionTime": "2020-01-01T00:00:00Z",
	}
	verb := d.one("merge", "strategic", "apply")
	query := "?fieldManager=" + d.one("c", "tester")
	return verb + " a/status" + query + " " + text(fields{"status": fields{"replicas": 1 + d.IntN(3), "conditions": []any{condition}}})
}

func (d *dice) scale() string {
	scale := fields{"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": fields{"name": "a"}, "spec": fields{"replicas": d.IntN(5)}}
	return d.one("put a/scale ", "merge a/scale ", "apply a/scale?fieldManager=s ", "apply a/scale?fieldManager=s&force=true ") + text(scale)
}
