package oracletest

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/storage"
)

// Store is the store below the servers. Its methods write what no step asked for, and record what
// is read of it.
type Store struct {
	Servers
	Stored     map[string]Object // by copy
	Revisions  map[string]int64  // of what is stored, by copy
	Head       int64             // the newest revision
	Unobserved bool              // no replica is read after a write
}

// StoreAs records that everything is stored in an encoding, and in the version that objects are
// created in.
func (run *Run) StoreAs(as storage.Encoding) *Run {
	for i := range run.History.Changes {
		if c := &run.History.Changes[i]; !c.Deleted {
			c.Encoding, c.APIVersion, c.Kind = string(as), "example.dev/v1", "Widget"
		}
	}
	return run
}

// StoreAsProtobuf records that everything is stored as protobuf, with the members of .spec that are
// named after their tags: t3 is field 3.
func (run *Run) StoreAsProtobuf() *Run {
	run.StoreAs(storage.Protobuf)
	for i := range run.History.Changes {
		c := &run.History.Changes[i]
		spec, _ := run.History.Object(c.Value)["spec"].(Object)
		var inner []byte
		for tag := 1; tag < 10; tag++ {
			if v, has := spec[fmt.Sprint("t", tag)].(int64); has {
				inner = binary.AppendUvarint(binary.AppendUvarint(inner, uint64(tag)<<3), uint64(v))
			}
		}
		message := append([]byte{2<<3 | byte(storage.Length), byte(len(inner))}, inner...)
		raw, err := (&runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "example.dev/v1", Kind: "Widget"}, Raw: message}).Marshal()
		if err != nil {
			run.T.Fatal(err)
		}
		raw = append([]byte("k8s\x00"), raw...)
		c.Value = history.Digest(raw)
		run.History.Blobs[c.Value] = history.Blob{Digest: c.Value, Bytes: raw}
	}
	return run
}

// Keep stores an object. As in a real server, a write that changes nothing is not stored.
func (s *Store) Keep(name string, o Object) {
	o = Clone(s.T, o)
	delete(o["metadata"].(Object), "resourceVersion")
	if s.Blob(o) == s.Blob(s.Stored[name]) {
		return
	}
	s.Head++
	s.Stored[name], s.Revisions[name] = o, s.Head
	s.History.Changes = append(s.History.Changes, history.Change{Revision: s.Head, Key: "/example/" + name, Value: s.Blob(o)})
}

// Change is a write of the servers' own: no step asked for it. A nil value removes the path.
func (s *Store) Change(name, at string, value any) {
	o := Clone(s.T, s.Stored[name])
	p := Path(s.T, at)
	if value == nil {
		path.Remove(o, p)
	} else if err := path.Set(o, p, value); err != nil {
		s.T.Fatal(err)
	}
	s.Keep(name, o)
}

// Remove removes an object from the store.
func (s *Store) Remove(name string) {
	s.Head++
	delete(s.Stored, name)
	s.History.Changes = append(s.History.Changes, history.Change{Revision: s.Head, Key: "/example/" + name, Deleted: true})
}

// Served returns the stored object as a release serves it.
func (s *Store) Served(name string, role term.Role) Object {
	o := s.read(role, s.Stored[name])
	o["metadata"].(Object)["resourceVersion"] = strconv.FormatInt(s.Revisions[name], 10)
	return o
}

// admit returns the object that the server stores, given the body, and sets the answer of a body
// that is not valid.
func (s *Store) admit(a *Call, whole Object) Object {
	m := s.Behaviours[a.Step.ViaRole]
	if m.Unserved {
		return whole
	}
	whole = hooks(s.Prune(a.Step.ViaRole, whole), m.Default)
	var was Object
	if stored := s.Stored[a.Step.Copy]; stored != nil {
		was = s.read(a.Step.ViaRole, stored)
	}
	if m.Clear != nil {
		m.Clear(whole, was)
	}
	if m.Validate != nil && a.code == 200 {
		if why := m.Validate(whole); why != "" {
			a.code, a.message = 422, why
		}
	}
	return whole
}

// attempted returns the answer to a dry run. Only writes are validated.
func (s *Store) attempted(name, replica string, what term.Attempt) history.Exchange {
	role := s.Serving[replica]
	if takes := s.Behaviours[role].Validate; takes != nil && s.Stored[name] != nil && what != term.DeleteAttempt {
		if why := takes(s.read(role, s.Stored[name])); why != "" {
			return history.Exchange{Method: "PATCH", Code: 422, Message: why}
		}
	}
	return history.Exchange{Method: "PATCH", Code: 200}
}

// AddArgument makes the answer to a step, and what it stored, show one argument more.
func (s *Store) AddArgument(step int, name string) {
	o := Clone(s.T, s.Stored[name])
	With(".spec.args", []any{"more"})(s.T, o)
	s.Stored[name] = o
	last := &s.History.Changes[len(s.History.Changes)-1]
	last.Value = s.Blob(o)
	for i := range s.History.Operations {
		if op := &s.History.Operations[i]; op.Step == step {
			op.Exchange.Answer = s.Blob(s.Served(name, op.Role))
		}
	}
}

// StoredChange returns the change of the store that wrote the newest version of a copy.
func (s *Store) StoredChange(name string) *history.Change {
	s.T.Helper()
	for i := range s.History.Changes {
		if c := &s.History.Changes[i]; c.Revision == s.Revisions[name] {
			return c
		}
	}
	s.T.Fatalf("nothing is stored of %s", name)
	return nil
}
