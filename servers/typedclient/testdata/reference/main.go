//go:build ignore

// Command reference uses a release's clientset as any of its users would, with
// a transport that answers from standard input and keeps what is sent. The
// typed clients under test must send the same.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// server answers every GET with a body, and everything else with what it was
// sent.
type server struct {
	contentType string
	body, sent  []byte
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, contentType := s.body, s.contentType
	if r.Method != http.MethodGet {
		var err error
		if s.sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		answer, contentType = []byte(`{"kind":"Pod","apiVersion":"v1"}`), "application/json"
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {contentType}},
		Body: io.NopCloser(bytes.NewReader(answer)), Request: r,
	}, nil
}

type result struct{ Put, Apply, Extract []byte }

func play(contentType string, body, manifest []byte) (res result, err error) {
	ctx, s := context.Background(), &server{contentType: contentType, body: body}
	clients, err := kubernetes.NewForConfig(&rest.Config{
		Host: "http://reference.invalid", Transport: s, QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: contentType, AcceptContentTypes: contentType},
	})
	if err != nil {
		return res, err
	}
	pods := clients.CoreV1().Pods("demo")
	pod, err := pods.Get(ctx, "example", v1.GetOptions{})
	if err != nil {
		return res, err
	}
	if _, err := pods.Update(ctx, pod, v1.UpdateOptions{}); err != nil {
		return res, err
	}
	res.Put = s.sent
	var a applycorev1.PodApplyConfiguration
	if err := utiljson.Unmarshal(manifest, &a); err != nil {
		return res, err
	}
	if _, err := pods.Apply(ctx, a.WithKind("Pod").WithAPIVersion("v1"), v1.ApplyOptions{FieldManager: "m"}); err != nil {
		return res, err
	}
	res.Apply = s.sent
	extracted, err := applycorev1.ExtractPod(pod, "m")
	if err != nil {
		return res, err
	}
	res.Extract, err = json.Marshal(extracted)
	return res, err
}

func main() {
	in := json.NewDecoder(os.Stdin)
	for {
		var q struct {
			ContentType    string
			Body, Manifest []byte
		}
		if err := in.Decode(&q); err == io.EOF {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		res, err := play(q.ContentType, q.Body, q.Manifest)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_ = json.NewEncoder(os.Stdout).Encode(res)
	}
}
