package result

// StatusCause is one error of a server's refusal, as the details of its Status list them.
type StatusCause struct {
	// Field is the path of the field, as the server spells it: spec.ports[0].name; "" for the whole
	// object, and for what is no field.
	Field string `json:"field,omitempty"`
	// Reason is the kind of error, such as FieldValueRequired.
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}
