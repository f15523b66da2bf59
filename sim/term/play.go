package term

// Role says which end of the release pair something belongs to.
type Role string

// The two releases of a pair.
const (
	Old Role = "old" // release n-1
	New Role = "new" // release n
)

// Roles lists every Role.
func Roles() List[Role] {
	return List[Role]{
		{Old, "release n-1, the one that is upgraded from and rolled back to"},
		{New, "release n, the one that is upgraded to"},
	}
}

// Rollout is one leg of a journey: every replica, one after the other, moves
// to the other release.
type Rollout string

// The two legs a journey is made of.
const (
	Upgrade  Rollout = "upgrade"
	Rollback Rollout = "rollback"
)

// Rollouts lists every Rollout.
func Rollouts() List[Rollout] {
	return List[Rollout]{
		{Upgrade, "every replica moves from the old release to the new one"},
		{Rollback, "every replica moves from the new release back to the old one"},
	}
}

// Client says whose types carry a request.
type Client string

// The clients a line of a scenario can name.
const (
	OldTyped Client = "old-typed"
	NewTyped Client = "new-typed"
	Dynamic  Client = "dynamic"
)

// Clients lists every Client.
func Clients() List[Client] {
	return List[Client]{
		{OldTyped, "a client with the old release's types: it cannot carry a field they lack"},
		{NewTyped, "a client with the new release's types"},
		{Dynamic, "a client without types: it carries whatever it read"},
	}
}

// Role returns the release whose types the client has, and false for dynamic.
func (c Client) Role() (Role, bool) {
	switch c {
	case OldTyped:
		return Old, true
	case NewTyped:
		return New, true
	}
	return "", false
}

// Verb is what one step asks of an API server.
type Verb string

// The verbs a step can have.
const (
	Create         Verb = "create"
	Put            Verb = "put"
	JSONPatch      Verb = "json-patch"
	MergePatch     Verb = "merge-patch"
	StrategicPatch Verb = "strategic-patch"
	StatusPatch    Verb = "status-patch"
	Get            Verb = "get"
	ListAll        Verb = "list"
	Delete         Verb = "delete"
)

// Verbs lists every Verb.
func Verbs() List[Verb] {
	return List[Verb]{
		{Create, "POST the copy's manifest"},
		{Put, "GET through the read replica, mutate, PUT the whole object through the write replica"},
		{JSONPatch, "PATCH with application/json-patch+json"},
		{MergePatch, "PATCH with application/merge-patch+json"},
		{StrategicPatch, "PATCH with application/strategic-merge-patch+json"},
		{StatusPatch, "PATCH the /status subresource with application/merge-patch+json"},
		{Get, "GET one copy"},
		{ListAll, "LIST the copies of one object"},
		{Delete, "DELETE one copy"},
	}
}

// Reads tells whether the verb first reads the object whose value it sends
// back, so that the replica it reads through matters.
func (v Verb) Reads() bool { return v == Put }

// Writes tells whether the verb can change what is stored.
func (v Verb) Writes() bool { return v != Get && v != ListAll }

// Modifies tells whether the verb changes an object that exists already.
func (v Verb) Modifies() bool {
	switch v {
	case Put, JSONPatch, MergePatch, StrategicPatch, StatusPatch:
		return true
	}
	return false
}

// CopyRole says what a copy is for, and so which promise it can judge.
type CopyRole string

// The roles a copy can have.
const (
	Treated   CopyRole = "treated"
	Bystander CopyRole = "bystander"
	Untouched CopyRole = "untouched"
)

// CopyRoles lists every CopyRole.
func CopyRoles() List[CopyRole] {
	return List[CopyRole]{
		{Treated, "uses the change under test"},
		{Bystander, "does not use the change: judges that it stays out of the way (rule-6)"},
		{Untouched, "created, then left alone: judges storage and resurrection"},
	}
}
