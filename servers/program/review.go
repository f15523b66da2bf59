package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	// answerWithin bounds one review, as a server does.
	answerWithin = 30 * time.Second
	// answerBytes bounds an answer.
	answerBytes = 64 << 20
	// maxSought is how many objects of a review that failed are tried alone, to name the one that it
	// failed on.
	maxSought = 50
	// conversionQuery is what a server adds to the path that converts: its client waits as long.
	conversionQuery = "?timeout=30s"
	// endWithin is how long the end of a program may come after the end of its connection.
	endWithin = 200 * time.Millisecond
)

// Convert has the program answer a ConversionReview, and returns its answer as it is. It returns
// an error if the program does not answer, or if a server would not understand the answer; the
// error names the object.
func (r *Running) Convert(ctx context.Context, review []byte) ([]byte, error) {
	var asked apiextensionsv1.ConversionReview
	if err := json.Unmarshal(review, &asked); err != nil || asked.Request == nil {
		return nil, errors.New("want a ConversionReview with a request")
	}
	answer, err := r.ask(ctx, review, asked)
	if err == nil {
		return answer, r.checkSetup(answer, asked.Request)
	}
	objects := asked.Request.Objects
	if len(objects) > 1 {
		objects = r.failing(ctx, asked)
	}
	return nil, fmt.Errorf("%s: %w, asked to convert %s to %s%s", r.program.Component, err, namesOf(objects), asked.Request.DesiredAPIVersion, r.seeLog())
}

// Admit has the program answer an AdmissionReview at a path, with its query, and returns its answer as it is: the
// server that asked judges it. It returns an error if the program does not answer.
func (r *Running) Admit(ctx context.Context, path string, review []byte) (code int, answer []byte, err error) {
	if err := r.revive(ctx); err != nil {
		return 0, nil, err
	}
	from := r.logSize()
	code, answer, err = r.post(ctx, path, review)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w%s", r.program.Component, r.broken(err, from), r.seeLog())
	}
	return code, answer, nil
}

// failing returns the objects of a review on which the program fails alone; all, if there is none.
func (r *Running) failing(ctx context.Context, asked apiextensionsv1.ConversionReview) []runtime.RawExtension {
	all := asked.Request.Objects
	for _, object := range all[:min(len(all), maxSought)] {
		asked.Request.Objects = []runtime.RawExtension{object}
		review, err := json.Marshal(asked)
		if err != nil {
			break
		}
		if _, err := r.ask(ctx, review, asked); err != nil {
			return []runtime.RawExtension{object}
		}
	}
	return all
}

// namesOf returns the kinds and names of some objects.
func namesOf(objects []runtime.RawExtension) string {
	const most = 3
	var names []string
	for _, o := range objects[:min(most, len(objects))] {
		var meta metav1.PartialObjectMetadata
		if json.Unmarshal(o.Raw, &meta) != nil {
			continue
		}
		names = append(names, strings.TrimSuffix(meta.Kind+" "+strings.TrimPrefix(meta.Namespace+"/"+meta.Name, "/"), " "))
	}
	if more := len(objects) - len(names); more > 0 && len(names) > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// ask sends one review, and checks the answer.
func (r *Running) ask(ctx context.Context, review []byte, asked apiextensionsv1.ConversionReview) ([]byte, error) {
	if err := r.revive(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	from := r.logSize()
	code, answer, err := r.post(ctx, r.program.Converts+conversionQuery, review)
	if err != nil {
		return nil, r.broken(err, from)
	}
	if !isSuccess(code) {
		return nil, fmt.Errorf("answered %d: %.200s", code, bytes.TrimSpace(answer))
	}
	var said apiextensionsv1.ConversionReview
	if err := json.Unmarshal(answer, &said); err != nil || said.Response == nil {
		return nil, fmt.Errorf("its answer is no ConversionReview with a response: %.200s", answer)
	}
	if err := checkReview(said, asked); err != nil {
		return nil, err
	}
	switch {
	case said.Response.Result.Status != metav1.StatusSuccess:
		if p := r.panicSince(from); p != "" {
			return nil, errors.New(p)
		}
	case len(said.Response.ConvertedObjects) != len(asked.Request.Objects):
		return nil, fmt.Errorf("returned %d objects instead of %d", len(said.Response.ConvertedObjects), len(asked.Request.Objects))
	}
	return answer, nil
}

// isSuccess reports whether a server reads the answer to a review.
func isSuccess(code int) bool { return code >= http.StatusOK && code <= http.StatusPartialContent }

// checkReview returns an error unless the answer is to the review that was sent. Servers check that of v1 alone.
func checkReview(said, asked apiextensionsv1.ConversionReview) error {
	switch {
	case asked.APIVersion != apiextensionsv1.SchemeGroupVersion.String():
		return nil
	case said.TypeMeta != asked.TypeMeta:
		return fmt.Errorf("answered with apiVersion %.100q and kind %.100q: want those of the review, %s and %s", said.APIVersion, said.Kind, asked.APIVersion, asked.Kind)
	case said.Response.UID != asked.Request.UID:
		return fmt.Errorf("answered another review: uid %.100q instead of %q", said.Response.UID, asked.Request.UID)
	}
	return nil
}

// broken returns why a program gave no answer.
func (r *Running) broken(err error, from int64) error {
	if child := r.current(); child != nil {
		select {
		case <-child.Done():
			if p := r.panicSince(from); p != "" {
				return fmt.Errorf("ended by itself: %s", p)
			}
			return fmt.Errorf("ended by itself: %s", child.Status())
		case <-time.After(endWithin):
		}
	}
	if p := r.panicSince(from); p != "" {
		return errors.New(p)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("gave no answer within %s", answerWithin)
	}
	return fmt.Errorf("gave no answer: %w", err)
}

func (r *Running) post(ctx context.Context, path string, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	return r.do(request)
}

func (r *Running) do(request *http.Request) (int, []byte, error) {
	response, err := r.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, answerBytes+1))
	if len(body) > answerBytes {
		err = &answerError{fmt.Errorf("its answer is larger than %d MiB", answerBytes>>20)}
	}
	return response.StatusCode, body, err
}
