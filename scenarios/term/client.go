package term

// Client is the kind of client that sends a request: which release's types it has.
type Client string

// The clients a line of a scenario can name.
const (
	OldTyped Client = "old-typed"
	NewTyped Client = "new-typed"
	OldApply Client = "old-apply"
	NewApply Client = "new-apply"
	Dynamic  Client = "dynamic"
	// OlderTyped and OlderApply have the types of a release before the pair's: see Older.
	OlderTyped Client = "older-typed"
	OlderApply Client = "older-apply"
)

// Clients lists every Client.
func Clients() List[Client] {
	return List[Client]{
		{OldTyped, "a client with the old release's types: it cannot carry a field they lack"},
		{NewTyped, "a client with the new release's types"},
		{OldApply, "a client that applies the old release's apply configurations"},
		{NewApply, "a client that applies the new release's apply configurations"},
		{OlderTyped, "a client with the types of a release before the pair's, which releases.clients names"},
		{OlderApply, "a client that applies that release's apply configurations"},
		{Dynamic, "a client without types: it carries whatever it read"},
	}
}

// Role returns the release whose types the client has, and false for dynamic.
func (c Client) Role() (Role, bool) {
	switch c {
	case OldTyped, OldApply:
		return Old, true
	case NewTyped, NewApply:
		return New, true
	case OlderTyped, OlderApply:
		return Older, true
	}
	return "", false
}

// Applies reports whether the client writes apply configurations, and nothing else.
func (c Client) Applies() bool { return c == OldApply || c == NewApply || c == OlderApply }

// Encoding is the encoding of the bodies that a client sends and requests.
type Encoding string

// The encodings of a client.
const (
	JSON     Encoding = "json"
	Protobuf Encoding = "protobuf"
)

// Encodings lists every Encoding.
func Encodings() List[Encoding] {
	return List[Encoding]{
		{JSON, "bodies as JSON"},
		{Protobuf, "bodies as Kubernetes' protobuf, which only typed clients have, and patches do not"},
	}
}

// Unfit returns why a client cannot play the verb in this encoding, or "" if it can.
func (e Encoding) Unfit(v Verb, c Client) string {
	_, typed := c.Role()
	switch {
	case e != Protobuf:
		return ""
	case !typed || c.Applies():
		return "only old-typed, new-typed and older-typed have protobuf"
	case !v.Whole():
		return "its bodies are always JSON"
	}
	return ""
}

// FieldValidation says what a server does with unknown fields.
type FieldValidation string

// The values of the fieldValidation parameter.
const (
	Ignore FieldValidation = "Ignore"
	Warn   FieldValidation = "Warn"
	Strict FieldValidation = "Strict"
)

// FieldValidations lists every FieldValidation.
func FieldValidations() List[FieldValidation] {
	return List[FieldValidation]{
		{Ignore, "the server drops unknown fields in silence"},
		{Warn, "the server drops unknown fields with a warning: its default"},
		{Strict, "the server refuses unknown fields"},
	}
}
