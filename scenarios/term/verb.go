package term

// Verb is the request that a step sends to an API server.
type Verb string

// The verbs a step can have.
const (
	Create           Verb = "create"
	Put              Verb = "put"
	UnchangedPut     Verb = "unchanged-put"
	JSONPatch        Verb = "json-patch"
	MergePatch       Verb = "merge-patch"
	StrategicPatch   Verb = "strategic-patch"
	MergeDiff        Verb = "merge-diff"
	StrategicDiff    Verb = "strategic-diff"
	Apply            Verb = "apply"
	ExtractApply     Verb = "extract-apply"
	ClientSideApply  Verb = "client-side-apply"
	StatusPut        Verb = "status-put"
	StatusPatch      Verb = "status-patch"
	ScalePut         Verb = "scale-put"
	ScalePatch       Verb = "scale-patch"
	Post             Verb = "post"
	Get              Verb = "get"
	ListAll          Verb = "list"
	Delete           Verb = "delete"
	DeleteCollection Verb = "delete-collection"
	Evict            Verb = "evict"
)

// effect is what a verb does to stored objects.
type effect int

// The effects. A step without a verb counts as one that modifies.
const (
	modifies effect = iota
	creates
	deletes
	shows
)

// trait is a property that a verb has or does not have.
type trait uint

// The traits.
const (
	reads      trait = 1 << iota // first reads the object that it sends back
	birth                        // can create an object
	whole                        // sends whole objects, which can be protobuf
	manifest                     // sends the whole manifest, or computes its patch from it
	body                         // sends a body that the scenario gives
	anyPart                      // can write a subresource that the line names
	rewrite                      // sends the object back as it was read
	serverSide                   // is server-side apply
	clientSide                   // is client-side apply
	otherKind                    // sends an object of another kind than the copy's
	collection                   // is answered with a list
)

// PatchForm is how a patch is written.
type PatchForm string

// The forms of patches. Server-side apply has no PatchForm.
const (
	JSONForm      PatchForm = "json"
	MergeForm     PatchForm = "merge"
	StrategicForm PatchForm = "strategic"
)

// The subresources of an object.
const (
	StatusPart = "status"
	ScalePart  = "scale"
	// EvictionPart deletes an object; it is not part of what is stored.
	EvictionPart = "eviction"
)

// properties is what the simulator knows about a verb.
type properties struct {
	effect effect
	// request is the verb by which discovery offers the kind itself; "" if the verb needs a
	// subresource instead.
	request string
	form    PatchForm
	part    string // the subresource that the verb writes, if it is always the same
	traits  trait
}

// verbRow is a verb with its meaning and its properties.
type verbRow struct {
	verb    Verb
	meaning string
	properties
}

// verbRows has one row per verb. All other places ask the predicates below.
func verbRows() []verbRow {
	return []verbRow{
		{Create, "POST the copy's manifest", properties{effect: creates, request: "create", traits: birth | whole | manifest}},
		{Put, "GET through the read replica, mutate, PUT the whole object through the write replica", properties{effect: modifies, request: "update", traits: reads | whole | anyPart}},
		{UnchangedPut, "GET through the read replica, PUT it back as the client carries it: a storage rewrite", properties{effect: modifies, request: "update", traits: reads | whole | anyPart | rewrite}},
		{JSONPatch, "PATCH with application/json-patch+json", properties{effect: modifies, request: "patch", form: JSONForm, traits: body | anyPart}},
		{MergePatch, "PATCH with application/merge-patch+json", properties{effect: modifies, request: "patch", form: MergeForm, traits: body | anyPart}},
		{StrategicPatch, "PATCH with application/strategic-merge-patch+json", properties{effect: modifies, request: "patch", form: StrategicForm, traits: body | anyPart}},
		{MergeDiff, "GET, mutate, PATCH with the merge patch that the client computes from the difference", properties{effect: modifies, request: "patch", form: MergeForm, traits: reads | anyPart}},
		{StrategicDiff, "GET, mutate, PATCH with the strategic merge patch that the client computes from the difference", properties{effect: modifies, request: "patch", form: StrategicForm, traits: reads | anyPart}},
		{Apply, "PATCH with application/apply-patch+yaml: the whole manifest, server-side apply", properties{effect: modifies, request: "patch", traits: birth | serverSide | manifest | anyPart}},
		{ExtractApply, "GET, extract what the manager has applied, mutate, apply it again", properties{effect: modifies, request: "patch", traits: reads | serverSide}},
		{ClientSideApply, "as kubectl apply does: PATCH with the three-way difference from the last-applied annotation", properties{effect: modifies, request: "patch", traits: reads | birth | clientSide | manifest}},
		{StatusPut, "GET through the read replica, mutate, PUT to the /status subresource", properties{effect: modifies, part: StatusPart, traits: reads | whole}},
		{StatusPatch, "PATCH the /status subresource with application/merge-patch+json", properties{effect: modifies, form: MergeForm, part: StatusPart}},
		{ScalePut, "GET /scale through the read replica, PUT it with other replicas", properties{effect: modifies, part: ScalePart, traits: reads}},
		{ScalePatch, "PATCH the /scale subresource with application/merge-patch+json", properties{effect: modifies, form: MergeForm, part: ScalePart}},
		{Post, "POST an object of another kind to a subresource", properties{effect: modifies, traits: body | anyPart | otherKind}},
		{Get, "GET one copy", properties{effect: shows, request: "get"}},
		{ListAll, "LIST the copies of one object", properties{effect: shows, request: "list", traits: collection}},
		{Delete, "DELETE one copy", properties{effect: deletes, request: "delete"}},
		{DeleteCollection, "DELETE the collection, narrowed to one copy by its name", properties{effect: deletes, request: "deletecollection", traits: collection}},
		{Evict, "POST an Eviction to the /eviction subresource, which deletes the copy unless a budget forbids it", properties{effect: deletes, part: EvictionPart, traits: otherKind}},
	}
}

// propertiesOf has the properties of each verb.
var propertiesOf = func() map[Verb]properties {
	all := map[Verb]properties{}
	for _, row := range verbRows() {
		all[row.verb] = row.properties
	}
	return all
}()

// Verbs lists every Verb.
func Verbs() (all List[Verb]) {
	for _, row := range verbRows() {
		all = append(all, Entry[Verb]{Word: row.verb, Meaning: row.meaning})
	}
	return all
}

func (v Verb) has(t trait) bool { return propertiesOf[v].traits&t != 0 }

// Writes reports whether the verb can change what is stored.
func (v Verb) Writes() bool { return propertiesOf[v].effect != shows }

// Modifies reports whether the verb changes an existing object.
func (v Verb) Modifies() bool { return propertiesOf[v].effect == modifies }

// Deletes reports whether the verb deletes the object.
func (v Verb) Deletes() bool { return propertiesOf[v].effect == deletes }

// OnlyCreates reports whether the verb creates an object, and cannot change one.
func (v Verb) OnlyCreates() bool { return propertiesOf[v].effect == creates }

// Creates reports whether the verb can create an object.
func (v Verb) Creates() bool { return v.has(birth) }

// Lists reports whether the verb reads all copies of an object at once.
func (v Verb) Lists() bool { return v.has(collection) && !v.Writes() }

// OfCollection reports whether the verb is answered with a list, whose revision belongs to no
// single object.
func (v Verb) OfCollection() bool { return v.has(collection) }

// Reads reports whether the verb first reads the object that it sends back, so that the replica
// it reads through matters.
func (v Verb) Reads() bool { return v.has(reads) }

// Rewrites reports whether the verb sends the object back as it was read: a storage rewrite.
func (v Verb) Rewrites() bool { return v.has(rewrite) }

// Whole reports whether the verb sends whole objects, which can be protobuf.
func (v Verb) Whole() bool { return v.has(whole) }

// Replaces reports whether the verb replaces an existing object, or its status, with what it
// sends.
func (v Verb) Replaces() bool { return v.Whole() && v.Modifies() }

// Request returns the verb by which discovery offers the kind itself, such as "update"; "" if the
// verb needs a subresource instead.
func (v Verb) Request() string { return propertiesOf[v].request }

// PatchForm returns how the verb writes its patch, or "" if it sends none.
func (v Verb) PatchForm() PatchForm { return propertiesOf[v].form }

// SendsBody reports whether the verb sends a body that the scenario gives, as it stands.
func (v Verb) SendsBody() bool { return v.has(body) }

// Subresource returns the subresource that the verb writes to, or "" for the object itself.
func (v Verb) Subresource() string { return propertiesOf[v].part }

// WritesPart reports whether the verb can write a subresource that it does not name itself,
// such as ephemeralcontainers.
func (v Verb) WritesPart() bool { return v.has(anyPart) }

// SendsOtherKind reports whether the verb sends an object of another kind than the copy's.
func (v Verb) SendsOtherKind() bool { return v.has(otherKind) }

// PostsPart reports whether the verb posts an object of another kind to a subresource that the
// line names.
func (v Verb) PostsPart() bool { return v.has(otherKind) && v.has(anyPart) }

// Carries reports whether the verb sends any change. Verbs that write a part of the object
// touch something there, and a rewrite changes nothing.
func (v Verb) Carries() bool {
	return v.Modifies() && v.Subresource() == "" && !v.Rewrites() && !v.SendsOtherKind()
}

// Applies reports whether the verb is server-side apply, which has a field manager.
func (v Verb) Applies() bool { return v.has(serverSide) }

// AppliesClientSide reports whether the verb is client-side apply, which records what it applied
// in an annotation.
func (v Verb) AppliesClientSide() bool { return v.has(clientSide) }

// GivesUpUnsent reports whether the verb is an apply, of either side: the client gives up the
// fields that it applied before and does not send again.
func (v Verb) GivesUpUnsent() bool { return v.has(serverSide | clientSide) }

// AppliesManifest reports whether the verb applies the whole manifest, from either side.
func (v Verb) AppliesManifest() bool { return v.has(manifest) && v.GivesUpUnsent() }

// Unfit returns why a client cannot play the verb, or "" if it can.
func (v Verb) Unfit(c Client) string {
	switch {
	case c.Applies() && !v.Applies() && !v.Deletes() && v.Writes():
		return "an apply client only applies"
	case !c.Applies() && c != Dynamic && v.Applies():
		return "a typed client sends no apply configuration: let " + string(c[:3]) + "-apply do it"
	case v.Applies() && v.Reads() && c == Dynamic:
		return "only apply clients extract what they have applied"
	case v.AppliesClientSide() && c != Dynamic:
		return "client-side apply sends its file as it stands, by dynamic"
	}
	return ""
}
