package term

// Change is how far the part that a touch changes is from the field under test.
type Change string

// The changes, from far to near.
const (
	LabelChange   Change = "label"
	SiblingChange Change = "sibling"
	ElementChange Change = "element"
	ListChange    Change = "list"
)

// Changes lists every Change.
func Changes() List[Change] {
	return List[Change]{
		{LabelChange, "an unrelated label, unique to the step"},
		{SiblingChange, "a sibling in the same struct as the field under test"},
		{ElementChange, "a sibling in the same list element"},
		{ListChange, "the list that holds it: an element is added"},
	}
}

// ListForm is how a LIST reads: each form takes another path through the server.
type ListForm string

// The forms of a LIST.
const (
	ConsistentList ListForm = "consistent"
	CachedList     ListForm = "cached"
	PagedList      ListForm = "paged"
)

// ListForms lists every ListForm.
func ListForms() List[ListForm] {
	return List[ListForm]{
		{ConsistentList, "without resourceVersion: what is stored now"},
		{CachedList, "with resourceVersion=0: what the watch cache holds"},
		{PagedList, "with a limit and continue: page by page"},
	}
}

// Attempt is one dry run that shows whether an object can still be written or deleted.
type Attempt string

// The attempts.
const (
	LabelAttempt     Attempt = "label"
	FinalizerAttempt Attempt = "finalizer"
	SelfAttempt      Attempt = "self"
	StatusAttempt    Attempt = "status"
	ScaleAttempt     Attempt = "scale"
	DeleteAttempt    Attempt = "delete"
)

// Attempts lists every Attempt.
func Attempts() List[Attempt] {
	return List[Attempt]{
		{LabelAttempt, "a merge patch of a label"},
		{FinalizerAttempt, "a merge patch that adds a finalizer"},
		{SelfAttempt, "a PUT of the very object that the replica serves"},
		{StatusAttempt, "a PUT of it to /status, where the kind has one"},
		{ScaleAttempt, "a PUT of the scale that the replica serves to /scale, where the kind has one"},
		{DeleteAttempt, "a DELETE"},
	}
}

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

// Verbs lists every Verb.
func Verbs() List[Verb] {
	return List[Verb]{
		{Create, "POST the copy's manifest"},
		{Put, "GET through the read replica, mutate, PUT the whole object through the write replica"},
		{UnchangedPut, "GET through the read replica, PUT it back as the client carries it: a storage rewrite"},
		{JSONPatch, "PATCH with application/json-patch+json"},
		{MergePatch, "PATCH with application/merge-patch+json"},
		{StrategicPatch, "PATCH with application/strategic-merge-patch+json"},
		{MergeDiff, "GET, mutate, PATCH with the merge patch that the client computes from the difference"},
		{StrategicDiff, "GET, mutate, PATCH with the strategic merge patch that the client computes from the difference"},
		{Apply, "PATCH with application/apply-patch+yaml: the whole manifest, server-side apply"},
		{ExtractApply, "GET, extract what the manager has applied, mutate, apply it again"},
		{ClientSideApply, "as kubectl apply does: PATCH with the three-way difference from the last-applied annotation"},
		{StatusPut, "GET through the read replica, mutate, PUT to the /status subresource"},
		{StatusPatch, "PATCH the /status subresource with application/merge-patch+json"},
		{ScalePut, "GET /scale through the read replica, PUT it with other replicas"},
		{ScalePatch, "PATCH the /scale subresource with application/merge-patch+json"},
		{Post, "POST an object of another kind to a subresource"},
		{Get, "GET one copy"},
		{ListAll, "LIST the copies of one object"},
		{Delete, "DELETE one copy"},
		{DeleteCollection, "DELETE the collection, narrowed to one copy by its name"},
		{Evict, "POST an Eviction to the /eviction subresource, which deletes the copy unless a budget forbids it"},
	}
}

// Reads reports whether the verb first reads the object that it sends back, so that the replica
// it reads through matters.
func (v Verb) Reads() bool {
	switch v {
	case Put, UnchangedPut, MergeDiff, StrategicDiff, ExtractApply, ClientSideApply, StatusPut, ScalePut:
		return true
	}
	return false
}

// Writes reports whether the verb can change what is stored.
func (v Verb) Writes() bool { return v != Get && v != ListAll }

// Modifies reports whether the verb changes an existing object.
func (v Verb) Modifies() bool { return v.Writes() && v != Create && !v.Deletes() }

// Deletes reports whether the verb deletes the object.
func (v Verb) Deletes() bool { return v == Delete || v == DeleteCollection || v == Evict }

// Creates reports whether the verb can create an object.
func (v Verb) Creates() bool { return v == Create || v == Apply || v == ClientSideApply }

// The subresources of an object.
const (
	StatusPart = "status"
	ScalePart  = "scale"
	// EvictionPart deletes an object; it is not part of what is stored.
	EvictionPart = "eviction"
)

// Subresource returns the subresource that the verb writes to, or "" for the object itself.
func (v Verb) Subresource() string {
	switch v {
	case StatusPut, StatusPatch:
		return StatusPart
	case ScalePut, ScalePatch:
		return ScalePart
	case Evict:
		return EvictionPart
	}
	return ""
}

// Carries reports whether the verb sends any change. Verbs that write a part of the object
// touch something there, and UnchangedPut changes nothing.
func (v Verb) Carries() bool {
	return v.Modifies() && v.Subresource() == "" && v != UnchangedPut && v != Post
}

// WritesPart reports whether the verb can write a subresource that it does not name itself,
// such as ephemeralcontainers.
func (v Verb) WritesPart() bool {
	switch v {
	case Put, UnchangedPut, JSONPatch, MergePatch, StrategicPatch, MergeDiff, StrategicDiff, Apply, Post:
		return true
	}
	return false
}

// Applies reports whether the verb is server-side apply, which has a field manager.
func (v Verb) Applies() bool { return v == Apply || v == ExtractApply }

// Whole reports whether the verb sends whole objects, which can be protobuf.
func (v Verb) Whole() bool {
	switch v {
	case Create, Put, UnchangedPut, StatusPut:
		return true
	}
	return false
}

// Unfit returns why a client cannot play the verb, or "" if it can.
func (v Verb) Unfit(c Client) string {
	switch {
	case c.Applies() && !v.Applies() && !v.Deletes() && v.Writes():
		return "an apply client only applies"
	case !c.Applies() && c != Dynamic && v.Applies():
		return "a typed client sends no apply configuration: let " + string(c[:3]) + "-apply do it"
	case v == ExtractApply && c == Dynamic:
		return "only apply clients extract what they have applied"
	case v == ClientSideApply && c != Dynamic:
		return "client-side apply sends its file as it stands, by dynamic"
	}
	return ""
}
