package objects

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fix changes the value that a refusal names: first it generates the value again, then it
// drops the value, then the value's container. For a refusal that names no field it drops
// something at random. It reports whether there was anything left to change.
func (d *Draft) fix(refusal *metav1.Status) bool {
	d.plain = true
	var dropped []Location
	changed := false
	for _, cause := range CausesOf(refusal) {
		at := d.locate(cause)
		d.complaints[cause.Field]++
		if d.replace(at, cause, d.complaints[cause.Field]) {
			changed = true
		} else {
			dropped = append(dropped, d.toDrop(at, d.complaints[cause.Field]))
		}
	}
	// From the last to the first: removing an element of a list moves the following ones.
	slices.SortFunc(dropped, func(a, b Location) int { return CompareLocations(b, a) })
	for _, at := range dropped {
		changed = d.drop(at) || changed
	}
	return changed || d.dropAny()
}

// CausesOf returns the causes that a server names for a refusal.
func CausesOf(refusal *metav1.Status) []metav1.StatusCause {
	if refusal == nil || refusal.Details == nil {
		return nil
	}
	return refusal.Details.Causes
}

// locate returns the location in the draft that a cause names.
func (d *Draft) locate(cause metav1.StatusCause) Location { return Locate(d.kind, d.object, cause) }

// Locate returns the location in an object that a cause names. Servers validate an
// internal form, in which a field may have another place or name than in the version that
// was sent. So if the named location does not exist, it returns the first location with the
// same end, or else the first that holds the refused value.
func Locate(kind Kind, object map[string]any, cause metav1.StatusCause) Location {
	named := ParseLocation(cause.Field)
	has := len(Known(object, named))
	if has == len(named) {
		return named
	}
	if Missing.MatchString(cause.Message) || cause.Type == metav1.CauseTypeFieldValueRequired {
		if at, _ := kind.SchemaAt(object, named[:has+1]); at != nil {
			return named[:has+1] // a value generated there includes what is Missing below, or the server names that next
		}
	}
	all := Locations(object)
	if at := withEndOf(all, named); at != nil {
		return at
	}
	for _, at := range all {
		if v, _ := Get(object, at); strings.HasPrefix(cause.Message, "Invalid value: "+Literal(v)+":") {
			return at
		}
	}
	return named
}

// withEndOf returns the first location that ends like another one, in as many tokens as
// possible; nil if none does.
func withEndOf(all []Location, named Location) Location {
	for start := 1; start < len(named); start++ {
		if _, err := strconv.Atoi(named[start]); err == nil {
			continue // an index alone identifies nothing
		}
		end := named[start:]
		for _, at := range all {
			if n := len(at) - len(end); n >= 0 && slices.Equal(at[n:], end) {
				return at
			}
		}
	}
	return nil
}

// Literal formats a value as refusals show it.
func Literal(v any) string {
	if text, ok := v.(string); ok {
		return strconv.Quote(text)
	}
	return JSONText(v)
}

// Missing matches a refusal of an absent value; supported finds the values that a refusal
// offers.
var (
	Missing   = regexp.MustCompile(`^Invalid value: (null|""|\{\}):`)
	supported = regexp.MustCompile(`supported values: (.*)`)
	quoted    = regexp.MustCompile(`"([^"]*)"`)
)

// replace gives the named field another value, for the first complaint and for every other
// one that reports a Missing value. It reports whether it did.
func (d *Draft) replace(at Location, cause metav1.StatusCause, times int) bool {
	is, there := Get(d.object, at)
	if offered := supported.FindStringSubmatch(cause.Message); offered != nil && there && !d.isExample(at) {
		if all := quoted.FindAllStringSubmatch(offered[1], -1); len(all) > 0 {
			Put(d.object, at, all[d.pick(len(all))][1])
			return true
		}
	}
	missed := !there || IsEmpty(is) || cause.Type == metav1.CauseTypeFieldValueRequired
	switch {
	case len(at) == 0 || cause.Type == metav1.CauseTypeFieldValueDuplicate || len(Known(d.object, at)) < len(at)-1:
		return false
	case times%2 == 0 || times > 1 && !missed:
		return false
	}
	schema, _ := d.kind.SchemaAt(d.object, at)
	if schema == nil || cause.Type == "FieldValueForbidden" || d.isExample(at) {
		return false
	}
	d.room = maxValues
	v, ok := d.memberOf(at[len(at)-1], schema, len(at))
	if ok {
		Put(d.object, at, v)
	}
	return ok
}

// IsEmpty reports whether a value is an empty struct, dictionary or list.
func IsEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// toDrop returns the location to drop for a complaint: the field, or after many complaints
// its container. In between it returns none, because another field may be wrong.
func (d *Draft) toDrop(at Location, times int) Location {
	here := Known(d.object, at)
	switch {
	case times < 3:
		return here
	case times%3 == 0:
		return here[:max(0, len(here)-1)]
	}
	return nil
}

// drop removes the value at a location, or its container if that requires the value. The
// object's own members stay: without them nothing is left to send.
func (d *Draft) drop(at Location) bool {
	if len(at) > 0 && d.isExample(at) {
		return d.dropBeside(at)
	}
	for ; len(at) > 1 && !d.isExample(at); at = at[:len(at)-1] {
		if _, required := d.kind.SchemaAt(d.object, at); !required {
			return Drop(d.object, at)
		}
	}
	return false
}

// droppable reports whether the value at a location is optional and not the example's.
func (d *Draft) droppable(at Location) bool {
	_, required := d.kind.SchemaAt(d.object, at)
	return !required && !d.isExample(at)
}

// dropAny removes an optional value.
func (d *Draft) dropAny() bool {
	all := slices.DeleteFunc(Locations(d.object), func(at Location) bool { return !d.droppable(at) })
	if len(all) == 0 {
		return false
	}
	return Drop(d.object, all[d.pick(len(all))])
}

// dropBeside removes the generated value, beside the example, that is nearest to a
// location.
func (d *Draft) dropBeside(at Location) bool {
	best, most := Location(nil), -1
	for _, other := range Locations(d.object) {
		if !d.droppable(other) {
			continue
		}
		n := 0
		for n < min(len(at), len(other)) && at[n] == other[n] {
			n++
		}
		if n > most {
			best, most = other, n
		}
	}
	return most >= 0 && Drop(d.object, best)
}
