package preflighttest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

// Filled is what a store was filled with.
type Filled struct {
	Objects, Kinds, Shapes int
	Smallest, Largest      int // bytes of JSON, as created
}

// namespaces are those of the objects, by their numbers.
const namespaces = 20

// Filling is what a store is filled with.
type Filling struct {
	Objects int
	// ShapesOfKind is how many shapes the objects of one kind have; 0: as many as chance gives them, which is one for two objects.
	ShapesOfKind int
	Seed         uint64
}

// Fill has a server store about as many objects as asked for, of every kind that it takes copies
// of.
func Fill(ctx context.Context, conn *client.Connection, release published.Release, stubs examples.Stubs, of Filling) (Filled, error) {
	f := &filling{Filling: of, conn: conn, random: rand.New(rand.NewPCG(of.Seed, 0)), shapes: map[string]bool{}, kinds: map[string]bool{}}
	f.filled.Smallest = 1 << 30
	for i := range namespaces {
		f.create(ctx, "/api/v1/namespaces", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": space(i)}})
	}
	takes := f.kindsThatTakeCopies(ctx, release, stubs)
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for i := 0; f.filled.Objects < of.Objects && i < 2*of.Objects; i++ {
		t := takes[i%len(takes)]
		object, at := t.copy(f.random, f.structure(i/len(takes)), i)
		group.Go(func() error { f.create(working, at, object); return working.Err() })
	}
	err := group.Wait()
	f.filled.Shapes, f.filled.Kinds = len(f.shapes), len(f.kinds)
	return f.filled, err
}

func space(i int) string { return fmt.Sprintf("space-%02d", i%namespaces) }

// filling is one call of Fill.
type filling struct {
	Filling
	conn   *client.Connection
	random *rand.Rand
	mu     sync.Mutex
	shapes map[string]bool
	kinds  map[string]bool
	filled Filled
}

// taking is a resource of which a server takes copies.
type taking struct {
	published.Resource
	object map[string]any
}

// kindsThatTakeCopies returns the resources of which a server accepts another object of the same
// content, which was created.
func (f *filling) kindsThatTakeCopies(ctx context.Context, release published.Release, stubs examples.Stubs) (all []taking) {
	once := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(stubs)) {
		for _, r := range release.Resources {
			if r.APIVersion+"/"+r.Plural != key || once[r.Kind] || !slices.Contains(r.Verbs, "create") || !slices.Contains(r.Verbs, "get") {
				continue
			}
			t := taking{Resource: r}
			if json.Unmarshal(stubs[key].Object, &t.object) != nil {
				continue
			}
			object, at := t.copy(f.random, f.structure(0), len(all))
			if f.create(ctx, at, object) {
				once[r.Kind] = true
				all = append(all, t)
			}
		}
	}
	return all
}

// structure returns what the fields of the nth object of a kind are drawn from. Their values are drawn by chance.
func (f *filling) structure(nth int) *rand.Rand {
	if f.ShapesOfKind == 0 {
		return f.random
	}
	return rand.New(rand.NewPCG(f.Seed, uint64(1+nth%f.ShapesOfKind)))
}

// copy returns another object of the same kind, with labels and annotations of its own, and the
// path that it is created at.
func (t taking) copy(random, structure *rand.Rand, number int) (map[string]any, string) {
	var object map[string]any
	raw, _ := json.Marshal(t.object) // it was read from JSON
	_ = json.Unmarshal(raw, &object)
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	object["apiVersion"], object["kind"] = t.APIVersion, t.Kind
	metadata["name"] = fmt.Sprintf("%s-%d", strings.ToLower(t.Kind), number)
	at := client.Resource{APIVersion: t.APIVersion, Plural: t.Plural}
	if t.Namespaced {
		at.Namespace = space(number)
		metadata["namespace"] = at.Namespace
	}
	metadata["labels"] = some(random, structure.IntN(6), 8)
	annotations := some(random, structure.IntN(4), 40)
	annotations["example.com/note"] = strings.Repeat("n", 300+random.IntN(200)) // no object of a cluster is smaller
	metadata["annotations"] = annotations
	if structure.IntN(20) == 0 { // a large one, such as what kubectl applied last
		annotations["example.com/large"] = strings.Repeat("x", 1<<10+random.IntN(58<<10))
	}
	return object, at.Collection()
}

// some returns a few members.
func some(random *rand.Rand, n, length int) map[string]any {
	all := map[string]any{}
	for i := range n {
		all[fmt.Sprintf("example.com/key-%d", i)] = strings.Repeat("v", 1+random.IntN(length))
	}
	return all
}

// create creates an object, and reports whether the server took it.
func (f *filling) create(ctx context.Context, at string, object map[string]any) bool {
	raw, _ := json.Marshal(object) // made of JSON
	a := f.conn.Do(ctx, client.Request{Method: http.MethodPost, Path: at, ContentType: client.JSONContent, Body: raw})
	if !a.Succeeded() {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.filled.Objects++
	f.filled.Smallest, f.filled.Largest = min(f.filled.Smallest, len(a.Body)), max(f.filled.Largest, len(a.Body))
	f.kinds[fmt.Sprint(object["kind"])] = true
	var stored map[string]any
	if json.Unmarshal(a.Body, &stored) == nil {
		f.shapes[reading.Shape(fmt.Sprint(object["kind"]), stored)] = true
	}
	return true
}
