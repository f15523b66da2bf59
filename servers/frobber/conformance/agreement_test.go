package conformance_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestKubernetesAgreement plays the same sequences on a Frobber server and on a kube-apiserver,
// and compares each step and finally the watch events.
func TestKubernetesAgreement(t *testing.T) {
	for _, release := range []string{"1.0", agreed} {
		t.Run(release, func(t *testing.T) {
			s := bothSides(t, release)
			for _, name := range sequences(t) {
				t.Run(name, func(t *testing.T) { s.agree(t, name, sequence(t, name)) })
			}
			s.agreeOnEvents(t)
		})
	}
}

// agreed is the last release that only adds plain fields. No kind of kube-apiserver has what
// later releases add, such as a plural and its singular; their servers use the same code.
const agreed = "1.4"

// sides are the two servers.
type sides struct {
	frobber, kube *server
	since         []difference // that the kube-apiserver's release has in addition
}

func bothSides(t *testing.T, release string) sides {
	t.Helper()
	kube, version := kubeAPIServer(t)
	return sides{frobber: frobber(t, "", release, store(t).Store(), "--release="+release), kube: kube, since: since(version)}
}

// agree plays the lines in a new namespace.
func (s sides) agree(t *testing.T, namespace string, lines []string) {
	t.Helper()
	a := s.kube.must(t, request{verb: http.MethodPost, path: "/api/v1/namespaces",
		body: fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, namespace)})
	require.Equal(t, http.StatusCreated, a.code, "%s", a.body)
	one, two := newPlayer(s.frobber, asFrobber(), namespace), newPlayer(s.kube, asReplicaSet(), namespace)
	for i, line := range lines {
		step := parseStep(line)
		frobber, kube := one.play(t, step), two.play(t, step)
		if diff := compare(frobber, kube, s.since...); diff != "" {
			t.Errorf("step %d: %s\n(-kube-apiserver, +frobber-apiserver)\n%s", i+1, line, diff)
		}
	}
}

// agreeOnEvents compares the events of a watch of all objects since the beginning.
func (s sides) agreeOnEvents(t *testing.T) {
	t.Helper()
	one := newPlayer(s.frobber, asFrobber(), "").events(t)
	two := newPlayer(s.kube, asReplicaSet(), "").events(t)
	require.Greater(t, len(one), len(sequences(t)))
	require.Len(t, two, len(one))
	for i, frobber := range one {
		require.NotEqual(t, "ERROR", frobber.Type, "%v", frobber.Body)
		if diff := compare(frobber, two[i], s.since...); diff != "" {
			t.Errorf("event %d\n(-kube-apiserver, +frobber-apiserver)\n%s", i+1, diff)
		}
	}
}

// compare returns the difference of two answers, without the known differences and those in
// more.
func compare(frobber, kube outcome, more ...difference) string {
	for _, d := range append(differences(), more...) {
		d.level(&frobber, &kube)
	}
	return cmp.Diff(kube, frobber)
}

// difference is a known difference: its reason, and a function that removes it from both
// outcomes.
type difference struct {
	why   string
	level func(frobber, kube *outcome)
}

func differences() []difference {
	return []difference{
		{"height and param have no omitempty in the guide's listing, so that an unset one is shown, and owned, as zero", levelZero},
		{"later releases fill in a width, which a ReplicaSet has nothing like", levelWidth},
		{"a ReplicaSet's status shows zero replicas, has no area, and its scale has a selector", levelStatus},
		{"the words of validation are each kind's own; which fields are wrong, and in which way, is compared", levelInvalid},
		{"messages of the decoder name Go's types, and versions without their groups", levelGoTypes},
		{"a kind with field selectors of its own refuses any other in words of its own", levelSelectors},
		{"Kubernetes' own kinds refuse a finalizer also for having no domain, custom and library kinds do not", levelFinalizers},
		{"a ReplicaSet must have a selector and containers besides, which can be wrong", levelRest},
	}
}

func levelZero(frobber, kube *outcome) {
	ours, theirs := append(items(frobber.Body), frobber.Body), append(items(kube.Body), kube.Body)
	for i := range min(len(ours), len(theirs)) {
		for field, zero := range map[string]any{"height": 0.0, "param": ""} {
			spec, there := within(ours[i], "spec"), within(theirs[i], "spec")
			if value, ok := there[field]; ok && value != zero || spec[field] != zero {
				continue
			}
			delete(spec, field)
			delete(there, field)
			for _, o := range []*outcome{frobber, kube} {
				o.Owners = without(o.Owners, "f:spec/f:"+field)
			}
		}
	}
}

func levelWidth(frobber, _ *outcome) {
	for _, body := range append(items(frobber.Body), frobber.Body) {
		if spec := within(body, "spec"); spec["width"] == 1.0 {
			delete(spec, "width")
			frobber.Owners = without(frobber.Owners, "f:spec/f:width")
		}
	}
}

func levelStatus(frobber, kube *outcome) {
	for _, o := range []*outcome{frobber, kube} {
		for _, body := range append(items(o.Body), o.Body) {
			status := within(body, "status")
			delete(status, "area")
			delete(status, "selector")
			if status["replicas"] == 0.0 {
				delete(status, "replicas")
				o.Owners = without(o.Owners, "f:status/f:replicas")
			}
			if len(status) == 0 && status != nil {
				delete(body.(map[string]any), "status")
			}
		}
	}
}

func levelInvalid(frobber, kube *outcome) {
	for _, o := range []*outcome{frobber, kube} {
		body, _ := o.Body.(map[string]any)
		if body["reason"] != "Invalid" {
			continue
		}
		delete(body, "message")
		causes, _ := within(body, "details")["causes"].([]any)
		for _, cause := range causes {
			delete(cause.(map[string]any), "message")
		}
	}
}

func levelGoTypes(frobber, kube *outcome) {
	for _, o := range []*outcome{frobber, kube} {
		if body, _ := o.Body.(map[string]any); body["message"] != nil {
			body["message"] = regexp.MustCompile(`(Go struct field )\S+ of type \S+|( in version )"\w+"`).ReplaceAllString(fmt.Sprint(body["message"]), "$1$2")
		}
	}
}

func levelSelectors(frobber, kube *outcome) {
	for _, o := range []*outcome{frobber, kube} {
		body, _ := o.Body.(map[string]any)
		message := fmt.Sprint(body["message"])
		if strings.HasPrefix(message, "field label not supported: ") || strings.Contains(message, "is not a known field selector") {
			body["message"] = "no such field selector"
		}
	}
}

func levelFinalizers(_, kube *outcome) { withoutCauses(kube, `^metadata\.finalizers\[`) }

// withoutCauses removes the causes for some fields.
func withoutCauses(o *outcome, fields string) {
	details, pattern := within(o.Body, "details"), regexp.MustCompile(fields)
	if causes, ok := details["causes"].([]any); ok {
		details["causes"] = slices.DeleteFunc(causes, func(cause any) bool {
			return pattern.MatchString(fmt.Sprint(cause.(map[string]any)["field"]))
		})
	}
}

func levelRest(_, kube *outcome) { withoutCauses(kube, `^spec\.(selector|template)|\.image$`) }

// items returns the elements of a list.
func items(body any) []any {
	m, _ := body.(map[string]any)
	all, _ := m["items"].([]any)
	return slices.Clone(all)
}

// within returns a member of a body, or nil.
func within(body any, key string) map[string]any {
	m, _ := body.(map[string]any)
	inner, _ := m[key].(map[string]any)
	return inner
}

// without removes a field from owned fields, and managers that own no other field.
func without(owners []string, field string) (rest []string) {
	for _, line := range owners {
		head, fields, _ := strings.Cut(line, ": ")
		kept := slices.DeleteFunc(strings.Fields(fields), func(f string) bool { return f == field })
		if len(kept) > 0 {
			rest = append(rest, head+": "+strings.Join(kept, " "))
		}
	}
	return rest
}
