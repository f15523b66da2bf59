package skewtest

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Clients adds clients. The default is Dynamic.
func (l *Line) Clients(clients ...Client) *Line {
	l.model.Client = append(l.model.Client, wordsOf[term.Client](clients)...)
	return l
}

// Via adds the releases, or the replicas, that requests go through. The default is both
// releases.
func (l *Line) Via(via ...Via) *Line {
	l.model.Via = append(l.model.Via, wordsOf[scenarios.Target](via)...)
	return l
}

// Read adds the releases, or the replicas, that a write reads through first. The default is
// the one that it writes through.
func (l *Line) Read(via ...Via) *Line {
	l.model.Read = append(l.model.Read, wordsOf[scenarios.Target](via)...)
	return l
}

// At adds stages. The default is every stage at which the line can be executed.
func (l *Line) At(stages ...At) *Line {
	l.model.At = append(l.model.At, wordsOf[string](stages)...)
	return l
}

// AtEveryStage adds every stage of the journey.
func (l *Line) AtEveryStage() *Line { return l.At(EveryStage) }

// Verbs adds ways to write, such as VerbPut. The default is one that the line's clients can
// send. Typed clients do not apply, and apply clients do nothing else: the log of the test
// names the combinations that are not run.
func (l *Line) Verbs(verbs ...Verb) *Line {
	l.model.Verb = append(l.model.Verb, wordsOf[term.Verb](verbs)...)
	return l
}

// Changing adds what a touch changes: "label" (the default), "sibling", "element", "list".
// The object gives the values of all but the label: see Change.
func (l *Line) Changing(changes ...string) *Line {
	l.model.Change = append(l.model.Change, wordsOf[term.Change](changes)...)
	return l
}

// APIVersions adds the versions of the API that requests go through, such as "apps/v1", or
// "preferred". The default is the object's own.
func (l *Line) APIVersions(versions ...string) *Line {
	l.model.APIVersion = append(l.model.APIVersion, versions...)
	return l
}

// Encodings adds encodings of typed clients' bodies: "json" (the default) and "protobuf".
func (l *Line) Encodings(encodings ...string) *Line {
	l.model.Encoding = append(l.model.Encoding, wordsOf[term.Encoding](encodings)...)
	return l
}

// FieldValidation adds values of the query parameter fieldValidation: "Strict", "Warn",
// "Ignore". By default requests do not have the parameter.
func (l *Line) FieldValidation(values ...string) *Line {
	l.model.FieldValidation = append(l.model.FieldValidation, wordsOf[term.FieldValidation](values)...)
	return l
}

// Subresource sets the subresource that is written, such as "status". The default is the
// object.
func (l *Line) Subresource(name string) *Line {
	l.model.Subresource = name
	return l
}

// Names adds the paths that a patch intends to change, for a body with a list, which does
// not show them.
func (l *Line) Names(paths ...string) *Line {
	l.model.Names = append(l.model.Names, paths...)
	return l
}

// Responds declares the HTTP status of the answer. The default is any success.
func (l *Line) Responds(code int) *Line {
	l.model.Respond = &scenarios.Respond{Code: code}
	return l
}

// Then adds lines that are executed on the same copies right after this one.
func (l *Line) Then(add func(then *Lines)) *Line {
	if add == nil {
		l.errs = append(l.errs, isNil(caller(0), "the function of Then"))
		return l
	}
	add(&l.then)
	return l
}

// Edit changes the model itself, for keys that have no method here.
func (l *Line) Edit(change func(*scenarios.Line)) *Line {
	if change == nil {
		l.errs = append(l.errs, isNil(caller(0), "the function of Edit"))
		return l
	}
	change(&l.model)
	return l
}
