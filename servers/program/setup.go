package program

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers"
)

// checkSetup returns an error if a program answers that nobody set it up. Nothing that it converts is then
// as it would be in a cluster, so that is the user's error, and Placement.Wrong hears of it.
func (r *Running) checkSetup(answer []byte, asked *apiextensionsv1.ConversionRequest) error {
	var said apiextensionsv1.ConversionReview
	if len(r.program.MissingSetups) == 0 || json.Unmarshal(answer, &said) != nil || said.Response == nil || said.Response.Result.Status == metav1.StatusSuccess {
		return nil
	}
	message := said.Response.Result.Message
	for _, missing := range r.program.MissingSetups {
		if !says(message, missing.Text) {
			continue
		}
		err := &servers.RequestError{Err: fmt.Errorf("program %s: asked to convert %s to %s, it answers %q: nobody called %s; call it in function setup of a Go file, and name the file in a program file: auto: {setup: FILE.go}",
			r.program.Component, namesOf(asked.Objects), asked.DesiredAPIVersion, message, missing.Setter)}
		if r.at.Wrong != nil {
			r.at.Wrong(err)
		}
		return err
	}
	return nil
}

// says reports whether a message has a text that is no part of a longer name: spec.getter not set is about a field, and
// getter not set is not.
func says(message, text string) bool {
	for at, end := 0, 0; ; at = end {
		i := strings.Index(message[at:], text)
		if i < 0 || text == "" {
			return false
		}
		end = at + i + len(text)
		before, _ := utf8.DecodeLastRuneInString(message[:at+i])
		after, _ := utf8.DecodeRuneInString(message[end:])
		if !isOfName(before) && before != '.' && before != ']' && !isOfName(after) {
			return true
		}
	}
}

func isOfName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-')
}
