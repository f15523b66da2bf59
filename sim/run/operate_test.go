package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// playing is a plan of one line in stage old with one replica. The object has no
// bystanders, so that there are no control copies either.
func playing(line string) string {
	return "name: small\nabout: x\nobjects: {x: {treated: bystander.yaml}}\nreplicas: 1\njourney: [upgrade]\n" +
		"play:\n- {create: x, via: old}\n- " + line + "\n"
}

// operated returns the one operation that is no create.
func operated(t *testing.T, p *plan.Plan) int {
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if s.Action == plan.Operate && s.Verb != "create" {
				return s.Number
			}
		}
	}
	t.Fatal("no operation in the plan")
	return 0
}

// TestSkipped: a step that cannot be executed is recorded and reported with its reason.
func TestSkipped(t *testing.T) {
	const gadgets = "/apis/example.dev/v1"
	for name, k := range map[string]struct {
		line   string
		answer func(place, method, path string) (int, string)
		reason string
	}{
		"no condition": {
			"{touch: x, via: old, verb: status-patch}", nil,
			"Gadget publishes no .status.conditions; name a status field with set",
		},
		"no status": {
			"{touch: x, via: old, verb: status-patch}",
			func(place, _, path string) (int, string) {
				if place == "scratch-old" && path == gadgets {
					return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true}]}`
				}
				return 0, ""
			},
			"Gadget has no /status",
		},
		"the read fails": {
			"{touch: x, via: old, verb: put}",
			func(_, method, path string) (int, string) {
				if method == "GET" && strings.HasPrefix(path, runtest.Collection+"/x-treated") {
					return 503, "no"
				}
				return 0, ""
			},
			"the read before it was answered 503",
		},
		"offered by the new one alone": {
			"{touch: x, via: old, verb: merge-patch}",
			func(place, _, path string) (int, string) {
				if place == "scratch-old" && path == gadgets {
					return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true,"verbs":["create","get","list"]}]}`
				}
				return 0, ""
			},
			"v1 offers no patch of Gadget",
		},
		"no types": {
			"{touch: x, via: old, client: new-typed}",
			func(place, _, path string) (int, string) {
				if place == "scratch-new" && path == "/openapi/v3"+gadgets {
					return 200, `{"components":{}}`
				}
				return 0, ""
			},
			"v2 has no types for example.dev/v1 Gadget",
		},
	} {
		w := runtest.NewWorld(t)
		w.Answer = k.answer
		c := config(t, w, runtest.SmallPlan(t, playing(k.line)))
		require.NoError(t, Run(runtest.Bounded(t), c), name)
		step := operated(t, c.Plan)
		h := load(t, c)
		require.Len(t, h.Skips, 1, name)
		assert.Equal(t, history.Skip{Line: h.Skips[0].Line, Step: step, Reason: k.reason}, h.Skips[0], name)
		assert.Equal(t, "skipped: "+k.reason, told(c, step), name)
		assert.True(t, h.Complete(), name)
	}
}

// TestRemoved: the run requests of the new release what it no longer offers, since clients
// of the old one do.
func TestRemoved(t *testing.T) {
	for line, offer := range map[string]string{
		"{get: x, via: new}":                                               `{"resources":[]}`,
		"{touch: x, via: new, verb: merge-patch}":                          `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true,"verbs":["create","get","list"]}]}`,
		"{touch: x, via: new, verb: put}":                                  `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true,"verbs":["update","list"]}]}`,
		"{set: x, via: new, verb: status-put, fields: {.status.ok: true}}": `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true}]}`,
		"{list: x, via: new}":                                              `{"resources":[]}`,
		"{delete: x, via: new, client: old-typed}":                         `{"resources":[]}`,
	} {
		operations, h := played(t, line, func(place, method, path string) (int, string) {
			switch {
			case place == "scratch-new" && path == "/apis/example.dev/v1":
				return 200, offer
			case place == "a-2" && strings.HasPrefix(path, runtest.Collection) && method != "GET":
				return 405, `{"kind":"Status","reason":"MethodNotAllowed"}`
			case place == "a-2" && path == runtest.Collection:
				return 404, "404 page not found"
			}
			return 0, ""
		})
		assert.Empty(t, h.Skips, line)
		acts := slices.DeleteFunc(operations, func(o history.Operation) bool { return o.Purpose != history.Act })
		require.Len(t, acts, 1, line)
		assert.Equal(t, term.New, acts[0].Role, line)
	}
}

func told(c Config, step int) string {
	_, outcome, _ := strings.Cut(c.Progress.(*runtest.Progress).Told[step-1], " ")
	return outcome
}

// TestTypedClient: a client neither sends nor keeps fields that its types lack; other
// clients send whole objects.
func TestTypedClient(t *testing.T) {
	for client, carried := range map[string]bool{"old-typed": false, "new-typed": true, "dynamic": true} {
		w := runtest.NewWorld(t)
		text := "name: small\nabout: x\nobjects: {x: {treated: treated.yaml}}\njourney: [upgrade]\nreplicas: 1\n" +
			"play:\n- {create: x, via: new}\n- {touch: x, via: new, client: " + client + "}\n"
		c := config(t, w, runtest.SmallPlan(t, text))
		require.NoError(t, Run(runtest.Bounded(t), c))
		h := load(t, c)
		i := slices.IndexFunc(h.Operations, func(o history.Operation) bool { return o.Exchange.Method == "PUT" })
		require.GreaterOrEqual(t, i, 0)
		sent := h.Object(h.Operations[i].Exchange.Sent)
		_, has := sent["spec"].(map[string]any)["later"]
		assert.Equal(t, carried, has, client)
	}
}

// TestPrepareFails: without its namespace a run cannot continue, unless the server serves
// no namespaces.
func TestPrepareFails(t *testing.T) {
	t.Parallel()
	const missing = `{"kind":"Status","reason":"NotFound","message":"the server could not find the requested resource","details":{}}`
	for name, c := range map[string]struct {
		code       int
		body, want string
	}{
		"forbidden":             {403, `{"kind":"Status","message":"you may not"}`, "answered 403: you may not"},
		"no such object":        {404, `{"kind":"Status","reason":"NotFound","message":"x not found","details":{"name":"x"}}`, "answered 404: x not found"},
		"a page of its own":     {404, "where?", "answered 404: where?"},
		"gone":                  {410, missing, "answered 410: the server could not find the requested resource"},
		"paths, and the core":   {404, `{"paths":["/api/v1","/version"]}`, `answered 404: {"paths":["/api/v1","/version"]}`},
		"paths without it":      {404, `{"paths":["/apis","/version"]}`, ""},
		"no namespaces":         {404, missing, ""},
		"no path, as Go's HTTP": {404, "404 page not found\n", ""},
	} {
		w := runtest.NewWorld(t)
		config := config(t, w, runtest.SmallPlan(t, runtest.Small))
		w.Answer = func(_, _, path string) (int, string) {
			if path == "/api/v1/namespaces" {
				return c.code, c.body
			}
			return 0, ""
		}
		err := Run(runtest.Bounded(t), config)
		if c.want != "" {
			assert.EqualError(t, err, "step 3 (create the namespace via a): "+c.want, name)
		} else {
			require.NoError(t, err, name)
			h := load(t, config)
			i := slices.IndexFunc(h.Operations, func(o history.Operation) bool { return o.Purpose == history.Prepare })
			require.GreaterOrEqual(t, i, 0, name)
			assert.Equal(t, 404, h.Operations[i].Exchange.Code, name)
		}
		assert.Empty(t, w.Left(), name)
	}
}

// TestOddList: an unreadable LIST is recorded with the reason, and ends nothing.
func TestOddList(t *testing.T) {
	w := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, runtest.Small)
	c := config(t, w, p)
	w.Answer = func(_, method, path string) (int, string) {
		if method == "GET" && path == runtest.Collection {
			return 200, "<html>"
		}
		return 0, ""
	}
	require.NoError(t, Run(runtest.Bounded(t), c))
	h := load(t, c)
	require.NotEmpty(t, h.Listings)
	for _, l := range h.Listings {
		assert.Equal(t, "the answer cannot be read: invalid character '<' looking for beginning of value", l.Exchange.Error)
	}
	assert.Empty(t, w.Left())
}
