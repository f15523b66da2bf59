//go:build unix

package program_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
	"github.com/skewsim/skewsim/servers/program"
)

// TestMain runs the test binary as a program when it is started as one, with what the program
// does wrong.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "program" {
		os.Exit(m.Run())
	}
	flags := flag.NewFlagSet("program", flag.ExitOnError)
	port, dir, wrong := flags.String("port", "", ""), flags.String("cert-dir", "", ""), flags.String("wrong", "", "")
	_ = flags.Parse(os.Args[2:])
	fmt.Println("the program says hello, and", os.Getenv("GREETING"))
	switch *wrong {
	case "ends":
		os.Exit(3)
	case "dies":
		if _, err := os.Stat(filepath.Join(*dir, "died")); err == nil {
			fmt.Println("the value of an object")
			os.Exit(5)
		}
	case "worse":
		if _, err := os.Stat(filepath.Join(*dir, "died")); err == nil {
			*wrong = "another"
		}
	case "silent":
		time.Sleep(time.Hour)
	}
	if *wrong == "elsewhere" {
		l, _ := net.Listen("tcp4", "127.0.0.1:0")
		fmt.Println(http.Serve(l, nil))
	}
	host := "127.0.0.1"
	if *wrong == "open" {
		host = ""
	}
	http.HandleFunc("/convert", func(w http.ResponseWriter, r *http.Request) {
		if *wrong == "dies" || *wrong == "worse" {
			_ = os.WriteFile(filepath.Join(*dir, "died"), nil, 0o600)
		}
		answer(w, r, *wrong)
	})
	fmt.Println(http.ListenAndServeTLS(net.JoinHostPort(host, *port), filepath.Join(*dir, "tls.crt"), filepath.Join(*dir, "tls.key"), nil))
	os.Exit(1)
}

// dropped closes a connection without an answer.
func dropped(w http.ResponseWriter) {
	if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = c.Close()
	}
}

// answer answers a review with the objects as they are.
func answer(w http.ResponseWriter, r *http.Request, wrong string) {
	var review apiextensionsv1.ConversionReview
	_ = json.NewDecoder(r.Body).Decode(&review)
	if review.Request.Objects == nil || r.URL.RawQuery != "timeout=30s" {
		http.Error(w, "no server sends that", http.StatusBadRequest)
		return
	}
	if wrong == "drops" {
		dropped(w)
		return
	}
	response := &apiextensionsv1.ConversionResponse{UID: review.Request.UID, ConvertedObjects: review.Request.Objects, Result: metav1.Status{Status: "Success"}}
	for _, o := range review.Request.Objects {
		var meta metav1.PartialObjectMetadata
		_ = json.Unmarshal(o.Raw, &meta)
		switch {
		case wrong == "unset" && meta.Name != "good":
			response.ConvertedObjects = nil
			response.Result = metav1.Status{Status: "Failure", Message: "failed to convert object: " + map[string]string{
				"bad": "getter not set", "field": "spec.getter not set"}[meta.Name]}
		case meta.Name != "bad":
		case wrong == "panics":
			var spec map[string]int
			//lint:ignore SA5000 the program panics on purpose
			spec["x"] = 1
		case wrong == "exits", wrong == "dies", wrong == "worse":
			os.Exit(4)
		case wrong == "closes":
			dropped(w)
			return
		case wrong == "another-later":
			response.UID = "another"
		case wrong == "foreign":
			review.APIVersion = "example.dev/v9"
		case wrong == "huge":
			response.Result.Message = strings.Repeat("x", 65<<20)
		case wrong == "fewer":
			response.ConvertedObjects = response.ConvertedObjects[1:]
		}
	}
	if wrong == "huge-ready" {
		response.Result.Message = strings.Repeat("x", 65<<20)
	}
	if wrong == "another" {
		response.UID = "another"
	}
	review.Request, review.Response = nil, response
	_ = json.NewEncoder(w).Encode(review)
}

// start starts the test binary as a program.
func start(t *testing.T, wrong string, changes ...func(*servers.Program)) (*program.Running, string, error) {
	t.Helper()
	file, err := os.Executable()
	require.NoError(t, err)
	p := servers.Program{
		Component: "operator", Path: file, Args: []string{"program", "--port=$(port)", "--cert-dir=$(certDir)", "--wrong=" + wrong},
		Env: []string{"GREETING=$(port)"}, Converts: program.DefaultConverts,
	}
	for _, change := range changes {
		change(&p)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "a-1-operator.log")
	running, err := program.Start(t.Context(), p, program.Placement{Dir: filepath.Join(dir, "keys"), LogPath: log, Server: servers.Endpoint{URL: "https://127.0.0.1:1"}, ReadyWithin: within(wrong)})
	if running != nil {
		t.Cleanup(running.Kill)
	}
	return running, log, err
}

// within is how long a program may take: one that never is ready is waited for as long.
func within(wrong string) time.Duration {
	switch wrong {
	case "silent", "elsewhere", "drops":
		return time.Second
	}
	return 10 * time.Second
}

// review returns a ConversionReview of Widgets with these names.
func review(t *testing.T, names ...string) []byte {
	t.Helper()
	r := apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "ConversionReview"},
		Request:  &apiextensionsv1.ConversionRequest{UID: "u", DesiredAPIVersion: "example.dev/v2"},
	}
	for _, name := range names {
		r.Request.Objects = append(r.Request.Objects, runtime.RawExtension{Raw: []byte(`{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"namespace":"n","name":"` + name + `"}}`)})
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	return text
}

// TestConvert: a right program answers, and its log stays; after Kill it answers nobody.
func TestConvert(t *testing.T) {
	running, log, err := start(t, "")
	require.NoError(t, err)
	answer, err := running.Convert(t.Context(), review(t, "good", "bad"))
	require.NoError(t, err)
	var said apiextensionsv1.ConversionReview
	require.NoError(t, json.Unmarshal(answer, &said))
	assert.Len(t, said.Response.ConvertedObjects, 2)
	running.Kill()
	_, err = running.Convert(t.Context(), review(t, "good"))
	assert.ErrorContains(t, err, "it was stopped with its release")
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Regexp(t, "hello, and [0-9]+", string(text))
}

// TestConvertWrong: what a program does wrong on one object of several names the object, and other
// objects are converted.
func TestConvertWrong(t *testing.T) {
	for wrong, want := range map[string][]string{
		"panics":        {"operator: panicked: assignment to entry in nil map", "program_test.answer", "program_unix_test.go:", "Widget n/bad to example.dev/v2; log: a-1-operator.log"},
		"exits":         {"operator: ended by itself: exited with status 4, asked to convert Widget n/bad to example.dev/v2"},
		"closes":        {"operator: gave no answer: ", "EOF, asked to convert Widget n/bad to example.dev/v2; log: a-1-operator.log"},
		"another-later": {`operator: answered another review: uid "another" instead of "u", asked to convert Widget n/bad`},
		"foreign":       {`operator: answered with apiVersion "example.dev/v9" and kind "ConversionReview"`, "asked to convert Widget n/bad"},
		"huge":          {"its answer is larger than 64 MiB", "Widget n/bad"},
		"fewer":         {"operator: returned 0 objects instead of 1, asked to convert Widget n/bad"},
	} {
		t.Run(wrong, func(t *testing.T) {
			running, _, err := start(t, wrong)
			require.NoError(t, err)
			of := []string{"good", "bad"}
			if wrong == "fewer" {
				of = of[1:]
			}
			_, err = running.Convert(t.Context(), review(t, of...))
			for _, text := range want {
				assert.ErrorContains(t, err, text)
			}
			_, err = running.Convert(t.Context(), review(t, "good", "better"))
			assert.NoError(t, err)
		})
	}
}

// TestConvertBeta: of a review of v1beta1 servers compare neither uid nor type with the answer's.
func TestConvertBeta(t *testing.T) {
	beta := []byte(strings.Replace(string(review(t, "bad")), "apiextensions.k8s.io/v1\"", "apiextensions.k8s.io/v1beta1\"", 1))
	for _, wrong := range []string{"another-later", "foreign"} {
		running, _, err := start(t, wrong)
		require.NoError(t, err)
		_, err = running.Convert(t.Context(), beta)
		assert.NoError(t, err, wrong)
	}
}

// TestRestartFails: a program that does not come up again is named with its log, whose lines may have objects by then.
func TestRestartFails(t *testing.T) {
	running, log, err := start(t, "dies")
	require.NoError(t, err)
	_, err = running.Convert(t.Context(), review(t, "bad"))
	require.Error(t, err)
	_, err = running.Convert(t.Context(), review(t, "good"))
	require.ErrorContains(t, err, "exited with status 5; log: a-1-operator.log")
	assert.NotContains(t, err.Error(), "the value")
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Contains(t, string(text), "the value")
}

// TestStartRefuses: a program that is no conversion webhook on loopback is the user's error, with
// the end of its log.
func TestStartRefuses(t *testing.T) {
	elsewhere := func(p *servers.Program) { p.Converts = "/elsewhere" }
	for wrong, want := range map[string]string{
		"ends":       "it ended before it was ready: exited with status 3; its log ends with:\nthe program says hello",
		"another":    `/convert?timeout=30s answered another review: uid "another" instead of`,
		"huge-ready": "its answer is larger than 64 MiB; its log ends with",
		"open":       "which other machines can reach",
		"silent":     "not ready after 1s: ",
		"elsewhere":  "; it listens on 127.0.0.1:",
		"drops":      "EOF; it must listen on",
		"path":       "/elsewhere?timeout=30s answered a ConversionReview with 404",
	} {
		var changes []func(*servers.Program)
		if wrong == "path" {
			changes = append(changes, elsewhere)
		}
		_, _, err := start(t, wrong, changes...)
		assert.ErrorContains(t, err, want, wrong)
		assert.True(t, fault.Is(err, fault.User), wrong)
	}
}

// TestPlaces: a directory of its certificate that cannot be made, and a log that cannot be written, are the user's error, with their
// name, and nothing is started.
func TestPlaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	p := servers.Program{Component: "operator", Path: "/bin/sh", Args: []string{"-c", "sleep 100"}, Converts: program.DefaultConverts}
	for what, at := range map[string]program.Placement{
		"its certificate: ": {Dir: filepath.Join(file, "keys"), LogPath: filepath.Join(t.TempDir(), "a.log")},
		"log: ":             {Dir: filepath.Join(t.TempDir(), "keys"), LogPath: filepath.Join(file, "a.log")},
	} {
		_, err := program.Start(t.Context(), p, at)
		require.ErrorContains(t, err, "program operator: "+what)
		assert.ErrorContains(t, err, file)
		assert.NotContains(t, err.Error(), "its log ends")
		assert.True(t, fault.Is(err, fault.User), what)
		assert.NoFileExists(t, at.LogPath)
	}
}

// TestURL: a program that runs already is asked where it is, and not ended.
func TestURL(t *testing.T) {
	running, _, err := start(t, "")
	require.NoError(t, err)
	ca, err := os.ReadFile(running.CAFile())
	require.NoError(t, err)
	other, err := program.Start(t.Context(), servers.Program{Component: "there", URL: running.URL(), CA: ca, Converts: program.DefaultConverts}, program.Placement{})
	require.NoError(t, err)
	_, err = other.Convert(t.Context(), review(t, "good"))
	require.NoError(t, err)
	other.Kill()
	_, err = running.Convert(t.Context(), review(t, "good"))
	assert.NoError(t, err)
	c := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{}}}
	response, err := c.Get(running.URL())
	if err == nil {
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	assert.Error(t, err, "the certificate is of the run's own authority")

	running.Kill()
	_, err = program.Start(t.Context(), servers.Program{Component: "there", URL: running.URL(), CA: ca, Converts: program.DefaultConverts}, program.Placement{ReadyWithin: time.Second})
	require.True(t, fault.Is(err, fault.User))
	assert.ErrorContains(t, err, "at the url, "+running.URL())
	assert.NotContains(t, err.Error(), "$(port)")
}

// TestOnlyAdmits: a program whose release converts nothing is ready without an answer to a review, and converts all the same
// if it can.
func TestOnlyAdmits(t *testing.T) {
	admits := func(p *servers.Program) { p.OnlyAdmits = true }
	elsewhere := func(p *servers.Program) { p.Converts = "/elsewhere" }
	_, _, err := start(t, "", elsewhere)
	require.Error(t, err)
	r, _, err := start(t, "", elsewhere, admits)
	require.NoError(t, err)
	_, err = r.Convert(t.Context(), review(t, "a"))
	require.Error(t, err)
	r, _, err = start(t, "", admits)
	require.NoError(t, err)
	_, err = r.Convert(t.Context(), review(t, "a"))
	require.NoError(t, err)
}

// TestMissingSetup: an answer that says that nobody set the program up is the user's error, with the function to call; the same answer about a
// field of an object is an answer, and so is that of a program of which nobody knows what it answers.
func TestMissingSetup(t *testing.T) {
	unset := func(p *servers.Program) {
		p.MissingSetups = []servers.MissingSetup{{Text: "getter not set", Setter: "example.dev/v1.SetGetter"}}
	}
	running, _, err := start(t, "unset", unset)
	require.NoError(t, err)
	for _, name := range []string{"good", "field"} {
		_, err = running.Convert(t.Context(), review(t, name))
		require.NoError(t, err, name)
	}
	_, err = running.Convert(t.Context(), review(t, "bad"))
	assert.True(t, fault.Is(err, fault.User))
	for _, part := range []string{"Widget n/bad", "example.dev/v2", "example.dev/v1.SetGetter", "auto: {setup: FILE.go}"} {
		assert.ErrorContains(t, err, part)
	}
	unknown, _, err := start(t, "unset")
	require.NoError(t, err)
	_, err = unknown.Convert(t.Context(), review(t, "bad"))
	assert.NoError(t, err)
}

// TestRestartRefused: a program that is refused when it is started again does not go on running.
func TestRestartRefused(t *testing.T) {
	running, _, err := start(t, "worse")
	require.NoError(t, err)
	_, err = running.Convert(t.Context(), review(t, "bad"))
	require.Error(t, err)
	for range 2 {
		_, err = running.Convert(t.Context(), review(t, "good"))
		require.ErrorContains(t, err, "answered another review")
		c, err := net.Dial("tcp4", strings.TrimPrefix(running.URL(), "https://"))
		if err == nil {
			c.Close()
		}
		require.Error(t, err, "it still listens")
	}
}

// containers run the test binary in place of images; fail: they do not start.
type containers struct {
	fail   error
	starts int
}

func (c *containers) StartContainer(_ context.Context, of program.Container) (program.Child, error) {
	if c.starts++; c.fail != nil {
		return nil, c.fail
	}
	child, err := process.Start(process.Command{Path: of.Command[0], Args: of.Command[1:], LogPath: of.LogPath})
	if err != nil {
		return nil, err // a nil child in the interface would not be nil
	}
	return child, nil
}

// TestContainerRestart: a container that ended by itself is started again with the next call, and so is one whose restart failed; each
// call that fails says why.
func TestContainerRestart(t *testing.T) {
	file, err := os.Executable()
	require.NoError(t, err)
	images, dir := &containers{}, t.TempDir()
	p := servers.Program{
		Component: "operator", Image: "sha256:1", Path: file, Args: []string{"program", "--port=$(port)", "--cert-dir=$(certDir)", "--wrong=exits"}, Converts: program.DefaultConverts,
	}
	running, err := program.Start(t.Context(), p, program.Placement{Dir: filepath.Join(dir, "keys"), LogPath: filepath.Join(dir, "a.log"), Images: images})
	require.NoError(t, err)
	defer running.Kill()
	for _, restart := range []error{nil, errors.New("no space left")} {
		_, err = running.Convert(t.Context(), review(t, "bad"))
		require.ErrorContains(t, err, "ended by itself: exited with status 4")
		images.fail = restart
		for range 2 {
			_, err = running.Convert(t.Context(), review(t, "good"))
			if restart == nil {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, "operator: no space left; log: a.log")
			}
		}
		images.fail = nil
		_, err = running.Convert(t.Context(), review(t, "good"))
		assert.NoError(t, err)
	}
	assert.Equal(t, 5, images.starts, "the first, one restart, two that failed, and one more")
}

// TestContainerCanceled: whoever ends the command while a container starts is no user's error; an image that cannot be started is.
func TestContainerCanceled(t *testing.T) {
	for want, fail := range map[fault.Kind]error{fault.Canceled: context.Canceled, fault.User: errors.New("no such executable")} {
		p := servers.Program{Component: "operator", Image: "sha256:1", Path: "/operator"}
		_, err := program.Start(t.Context(), p, program.Placement{Dir: filepath.Join(t.TempDir(), "keys"), LogPath: filepath.Join(t.TempDir(), "log"), Images: &containers{fail: fail}})
		assert.Equal(t, want, fault.Of(err).Kind, "%v", err)
	}
}

// TestLogOfBefore: an error shows no line that another program wrote to the log before.
func TestLogOfBefore(t *testing.T) {
	log := filepath.Join(t.TempDir(), "a.log")
	require.NoError(t, os.WriteFile(log, []byte("the value of an object\n"), 0o600))
	for script, want := range map[string]string{"exit 3": "exited with status 3", "echo mine; exit 3": "its log ends with:\nmine"} {
		p := servers.Program{Component: "operator", Path: "/bin/sh", Args: []string{"-c", script}, Converts: program.DefaultConverts}
		_, err := program.Start(t.Context(), p, program.Placement{Dir: filepath.Join(t.TempDir(), "keys"), LogPath: log, ReadyWithin: 10 * time.Second})
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "the value")
	}
}
