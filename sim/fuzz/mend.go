package fuzz

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// mostMends is how often one object is mended before it is given up.
const mostMends = 30

// mender changes an object until a server takes it. What it does hangs on the
// object's own random numbers and on what the server says, and on nothing else.
type mender struct {
	*maker
	root       *spec.Schema
	object     map[string]any
	complaints map[string]int // by the field that a server names

	// example is the kind's; nil: it has none. kept is the part of the object that is.
	example, kept map[string]any
	naming        naming
	stage         int
	make          func() map[string]any
}

// mend changes what a refusal names: a value is made anew at first, then dropped,
// then what holds it. A refusal that names nothing costs the object something at
// random. It tells whether there was anything left to change.
func (m *mender) mend(refusal *metav1.Status) bool {
	m.plain = true
	var dropped []route
	changed := false
	for _, cause := range causesOf(refusal) {
		r := m.meant(cause)
		m.complaints[cause.Field]++
		if m.repair(r, cause, m.complaints[cause.Field]) {
			changed = true
		} else {
			dropped = append(dropped, m.victim(r, m.complaints[cause.Field]))
		}
	}
	// From the last to the first: a list that closes up moves what comes after.
	slices.SortFunc(dropped, func(a, b route) int { return compareRoutes(b, a) })
	for _, r := range dropped {
		changed = m.drop(r) || changed
	}
	return changed || m.dropAny()
}

func causesOf(refusal *metav1.Status) []metav1.StatusCause {
	if refusal == nil || refusal.Details == nil {
		return nil
	}
	return refusal.Details.Causes
}

// meant is the place in the object that a refusal names. Servers validate a form of
// their own, in which a field may lie elsewhere, or have another name, than in the
// version that was sent: then it is the first place whose end is the same, else the
// first that holds the value that is refused.
func (m *mender) meant(cause metav1.StatusCause) route {
	r := readRoute(cause.Field)
	here := len(known(m.object, r))
	if here == len(r) {
		return r
	}
	if missing.MatchString(cause.Message) || cause.Type == metav1.CauseTypeFieldValueRequired {
		if form, _ := m.shapes.formAt(m.root, m.object, r[:here+1]); form != nil {
			return r[:here+1] // what is made there has what is missed below, or is complained of next
		}
	}
	all := m.routes()
	for start := 1; start < len(r); start++ {
		if _, err := strconv.Atoi(r[start]); err == nil {
			continue // an index alone says nothing
		}
		for _, here := range all {
			if n := len(r) - start; len(here) >= n && slices.Equal(here[len(here)-n:], r[start:]) {
				return here
			}
		}
	}
	for _, here := range all {
		if v, _ := get(m.object, here); strings.HasPrefix(cause.Message, "Invalid value: "+literal(v)+":") {
			return here
		}
	}
	return r
}

// literal is a value as refusals show it.
func literal(v any) string {
	if text, ok := v.(string); ok {
		return strconv.Quote(text)
	}
	return jsonText(v)
}

// supported finds the values that a refusal offers, missing that there is none.
var (
	missing   = regexp.MustCompile(`^Invalid value: (null|""|\{\}):`)
	supported = regexp.MustCompile(`supported values: (.*)`)
	quoted    = regexp.MustCompile(`"([^"]*)"`)
)

// repair gives the named field a value that may do, the first time that it is
// complained of, and every other time that it is missed. It tells whether it has.
func (m *mender) repair(r route, cause metav1.StatusCause, times int) bool {
	is, there := get(m.object, r)
	if offered := supported.FindStringSubmatch(cause.Message); offered != nil && there && !m.isExample(r) {
		if all := quoted.FindAllStringSubmatch(offered[1], -1); len(all) > 0 {
			put(m.object, r, all[m.pick(len(all))][1])
			return true
		}
	}
	missed := !there || isEmpty(is) || cause.Type == metav1.CauseTypeFieldValueRequired
	switch {
	case len(r) == 0 || cause.Type == metav1.CauseTypeFieldValueDuplicate || len(known(m.object, r)) < len(r)-1:
		return false
	case times%2 == 0 || times > 1 && !missed:
		return false
	}
	form, _ := m.shapes.formAt(m.root, m.object, r)
	if form == nil || cause.Type == "FieldValueForbidden" || m.isExample(r) {
		return false
	}
	v, ok := m.memberOf(r[len(r)-1], form, len(r))
	if ok {
		put(m.object, r, v)
	}
	return ok
}

// isEmpty tells whether a value is a struct, a dictionary or a list with nothing in it.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// victim is what is to go for a complaint: the field, or what holds it when it was
// complained of often. In between it is nothing, for the fault may lie elsewhere.
func (m *mender) victim(r route, times int) route {
	here := known(m.object, r)
	switch {
	case times < 3:
		return here
	case times%3 == 0:
		return here[:max(0, len(here)-1)]
	}
	return nil
}

// drop removes what is at a route, or what holds it when that must have it. The
// members of the object itself stay: without them nothing is left to send.
func (m *mender) drop(r route) bool {
	if len(r) > 0 && m.isExample(r) {
		return m.dropBeside(r)
	}
	for ; len(r) > 1 && !m.isExample(r); r = r[:len(r)-1] {
		if _, required := m.shapes.formAt(m.root, m.object, r); !required {
			return drop(m.object, r)
		}
	}
	return false
}

// dropAny removes something that the object may do without.
func (m *mender) dropAny() bool {
	all := slices.DeleteFunc(m.routes(), func(r route) bool {
		_, required := m.shapes.formAt(m.root, m.object, r)
		return required || m.isExample(r)
	})
	if len(all) == 0 {
		return false
	}
	return drop(m.object, all[m.pick(len(all))])
}

// routes are the places in the object below its own members, sorted.
func (m *mender) routes() []route { return routesOf(m.object) }

// routesOf are the places in an object below its own members: what holds others
// before what it holds.
func routesOf(object map[string]any) []route {
	var all []route
	var visit func(r route, v any)
	visit = func(r route, v any) {
		if len(r) > 1 {
			all = append(all, r)
		}
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				visit(r.with(name), v[name])
			}
		case []any:
			for i, element := range v {
				visit(r.with(strconv.Itoa(i)), element)
			}
		}
	}
	visit(nil, object)
	return slices.DeleteFunc(all, func(r route) bool { return isName(r) })
}

// isName tells whether a route leads to what says which object it is.
func isName(r route) bool {
	return len(r) == 2 && r[0] == "metadata" && (r[1] == "name" || r[1] == "namespace")
}

// compareRoutes orders routes; indices by number.
func compareRoutes(a, b route) int {
	return slices.CompareFunc(a, b, func(x, y string) int {
		i, errI := strconv.Atoi(x)
		j, errJ := strconv.Atoi(y)
		if errI == nil && errJ == nil {
			return i - j
		}
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
