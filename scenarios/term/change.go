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
