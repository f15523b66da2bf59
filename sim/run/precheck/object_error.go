package precheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers/fault"
)

// Fault returns that the error is the user's.
func (e *ObjectError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// ObjectError reports that no server that knows all fields of an object accepts it,
// although the scenario declares no refusal.
type ObjectError struct {
	File     string // the scenario's
	Line     int    // of its first line that creates the object
	Manifest string // the object's file
	Versions []string
	Code     int         // the first server's answer
	Troubles []Complaint // the servers' complaints
}

// Complaint is a complaint of servers about a part of an object.
type Complaint struct {
	At, Field, Text string
	Versions        []string // of the servers with this complaint
}

// Error gives each complaint with its place in the object's file, then what to do.
func (e *ObjectError) Error() string {
	var b strings.Builder
	for _, c := range e.Troubles {
		fmt.Fprintf(&b, "%s: ", c.At)
		if c.Field != "" {
			fmt.Fprintf(&b, "%s: ", c.Field)
		}
		b.WriteString(c.Text)
		if len(c.Versions) < len(e.Versions) {
			fmt.Fprintf(&b, " (so %s)", strings.Join(c.Versions, " and "))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s:%d: %s: %s with %d: fix the object file, or, if that answer is expected, declare it on the line: respond: {code: %d}",
		e.File, e.Line, e.Manifest, refusedBy(e.Versions), e.Code, e.Code)
	return b.String()
}

func refusedBy(versions []string) string {
	if len(versions) == 1 {
		return fmt.Sprintf("%s, the only release that knows all its fields, refuses it", versions[0])
	}
	return fmt.Sprintf("%s both refuse it", strings.Join(versions, " and "))
}

// add notes that a server refuses the object.
func (e *ObjectError) add(version string, line, code int) {
	if len(e.Versions) == 0 {
		e.Line, e.Code = line, code
	}
	e.Line = min(e.Line, line)
	if !slices.Contains(e.Versions, version) {
		e.Versions = append(e.Versions, version)
	}
}

// note adds a complaint about a part of the object, once for all servers with the same one.
func (e *ObjectError) note(version string, c Complaint) {
	same := func(o Complaint) bool { return o.Field == c.Field && o.Text == c.Text }
	i := slices.IndexFunc(e.Troubles, same)
	if i < 0 {
		e.Troubles, i = append(e.Troubles, c), len(e.Troubles)
	}
	if of := &e.Troubles[i]; !slices.Contains(of.Versions, version) {
		of.Versions = append(of.Versions, version)
	}
}
