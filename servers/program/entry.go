package program

import (
	"cmp"
	"crypto/x509"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// problem returns an error in the value of a key.
func (e *Entry) problem(key, format string, args ...any) error {
	return Problem{File: e.file, Line: e.lines[key], Path: key, Text: fmt.Sprintf(format, args...)}
}

// At gives an error that the value of a key leads to the place of the value; nil stays nil.
func (e *Entry) At(key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s:%d: %s: %w", e.file, e.lines[key], key, err)
}

// Check returns what the program of a release with that version lacks on this machine, as far as it is known
// before anything is built: its executable, or the authority of its certificate.
func (e *Entry) Check(version string) error {
	if e.Auto != nil {
		return e.Auto.check(version)
	}
	if len(e.Command) > 0 {
		_, err := e.executable(strings.ReplaceAll(e.Command[0], versionVariable, version))
		return err
	}
	if e.Module != "" {
		_, _, err := e.Reference(version)
		return err
	}
	_, err := e.authority()
	return err
}

// ConfigurationsIn returns where the configurations are that an entry names, for a release with that version, whose
// definitions are in a Go module in that directory; module "": in none. within is the directory that a program file
// which a scenario's file names may read; "": any. The name is relative to root, out of which nothing is read, or a path of
// its own if root is "". It is "" if the entry names none.
func (e *Entry) ConfigurationsIn(module, within, version string) (root, name string, err error) {
	name = strings.ReplaceAll(e.Configurations, versionVariable, version)
	if name == "" {
		return "", "", nil
	}
	root, of := within, "folder of the scenario"
	switch {
	case filepath.IsAbs(name):
	case module == "":
		name = filepath.Join(filepath.Dir(e.file), name)
	default:
		root, of, name = module, "module of the definitions", filepath.Join(module, name)
	}
	if root == "" {
		return "", name, nil
	}
	other := "an absolute path"
	if within != "" {
		other = elsewhere
	}
	below, err := belowRoot(root, name, e.Configurations, "the "+of+": name a folder or a file of it, or "+other)
	if err != nil {
		return "", "", e.InvalidConfigurations(err)
	}
	return root, below, nil
}

// elsewhere is the way out for files outside of a scenario's folder.
const elsewhere = "name the program file on the command line"

// Below returns the name of a program file relative to the folder of the scenario that names it. A file outside of that
// is an error.
func Below(within, name string) (string, error) {
	at := name
	if !filepath.IsAbs(at) {
		at = filepath.Join(within, at)
	}
	return belowRoot(within, at, name, "the folder of the scenario: name a file of it, or "+elsewhere)
}

// belowRoot returns a name relative to root; written is how the user wrote it, and of says what it must not lead out of.
func belowRoot(root, name, written, of string) (string, error) {
	below, err := filepath.Rel(root, name)
	if err != nil || !filepath.IsLocal(below) {
		return "", fmt.Errorf("%q leads out of %s", written, of)
	}
	return below, nil
}

// InvalidConfigurations returns the error for configurations that cannot be read, with their place in the file.
func (e *Entry) InvalidConfigurations(err error) error {
	return e.problem("configurations", "%v", err)
}

// maxCA bounds the file with the authority of a certificate.
const maxCA = 1 << 20

// authority reads the authority of the certificate of a program that runs already; nil for others.
func (e *Entry) authority() ([]byte, error) {
	if e.CAFile == "" {
		return nil, nil
	}
	name := e.CAFile
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(e.file), name)
	}
	text, err := servers.ReadRegular(name, maxCA)
	switch {
	case err != nil:
		return nil, e.problem("caFile", "%v", err)
	case !x509.NewCertPool().AppendCertsFromPEM(text):
		return nil, e.problem("caFile", "%s has no certificate in PEM", name)
	}
	return text, nil
}

// twice returns a path that an entry names for two things; "": none.
func (e *Entry) twice() string {
	paths := append([]string{e.Converts}, e.Admits...)
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			return path
		}
	}
	return ""
}

// Describe returns, in words, what is executed for a release with that version.
func (e *Entry) Describe(version string) string {
	what := "url " + e.URL
	switch {
	case e.Auto != nil:
		return e.Auto.describe(cmp.Or(version, versionVariable))
	case len(e.Command) > 0:
		what = "command " + e.Command[0]
	case e.Module != "":
		what = "module " + e.Module
	case e.Image != "":
		what = "image " + e.Image
	}
	return fmt.Sprintf("%s, %s", e.Component, strings.ReplaceAll(what, versionVariable, cmp.Or(version, versionVariable)))
}
