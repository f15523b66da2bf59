package serverflags

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Format is a kind of file that contains flags.
type Format string

// The formats that Read understands.
const (
	StaticPod Format = "static-pod manifest" // or another Pod, or an object with a Pod template
	K3s       Format = "k3s configuration"   // of k3s or RKE2
	FlagsFile Format = "flags file"          // one or more flags a line, or a systemd file
)

// Flags are the flags of a kube-apiserver.
type Flags struct {
	// File is the file's name, without its folder.
	File   string
	Format Format
	// NotUnderstood describes the parts of the file that were not understood, without quoting
	// them.
	NotUnderstood []string

	folder   string
	settings []setting // one for each name, in the order of the file
}

// setting is one flag. values are kept only for flags whose value may be shown.
type setting struct {
	name   string // without dashes
	values []string
}

// FileError reports a file that Read cannot use.
type FileError struct {
	File string
	Err  error
}

// Error returns the file's name and what is wrong with it.
func (e *FileError) Error() string { return "server flags " + e.File + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// maxFile bounds the files that Read reads.
const maxFile = 1 << 20

// Read reads the flags of a static-pod manifest, a k3s or RKE2 configuration, or a flags file.
// The error is a *FileError.
func Read(path string) (Flags, error) {
	f := Flags{File: filepath.Base(path), folder: filepath.Dir(path)}
	text, err := readWhole(path)
	if err == nil {
		err = f.parse(text)
	}
	if err != nil {
		return Flags{}, &FileError{File: path, Err: err}
	}
	return f, nil
}

// readWhole reads a file unless it is too large to contain flags.
func readWhole(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unnamed(err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("is a folder; name the file in it")
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("is larger than %d bytes, so it does not contain flags alone", maxFile)
	}
	text, err := os.ReadFile(path)
	return text, unnamed(err)
}

// unnamed returns the error without the file's name, which FileError adds.
func unnamed(err error) error {
	if named, is := err.(*os.PathError); is {
		return named.Err
	}
	return err
}

// looksLikeYAML matches the fields of manifests and configurations.
var looksLikeYAML = regexp.MustCompile(`(?m)^(apiVersion|kind|spec|kube-apiserver-arg\+?)\s*:`)

// parse decides on the format of a file and reads it.
func (f *Flags) parse(text []byte) error {
	if bytes.IndexByte(text, 0) >= 0 {
		return fmt.Errorf("is not a text file")
	}
	documents, isYAML, err := mappings(text)
	switch {
	case err != nil && looksLikeYAML.Match(text):
		return fmt.Errorf("is not valid YAML: %w", err)
	case isYAML:
		err = f.parseYAML(documents)
	default:
		err = nil
		f.Format = FlagsFile
		f.parseText(string(text))
	}
	switch {
	case err != nil:
		return err
	case len(f.settings) == 0 && len(f.NotUnderstood) > 0:
		return fmt.Errorf("no flag of kube-apiserver was understood: %s", strings.Join(f.NotUnderstood, "; "))
	case len(f.settings) == 0:
		return fmt.Errorf("contains no flags of kube-apiserver; want a static-pod manifest, a flags file, or a k3s configuration with kube-apiserver-arg")
	}
	return nil
}

// flagWord matches a word that sets a flag, such as --name, --name=value or -v=2.
var flagWord = regexp.MustCompile(`(?s)^(?:--([A-Za-z][\w.-]*)|-(v))(?:=(.*))?$`)

// words adds the flags of a command line. where names the place for NotUnderstood.
func (f *Flags) words(words []string, where string) {
	strays := 0
	for i := 0; i < len(words); i++ {
		m := flagWord.FindStringSubmatch(words[i])
		if m == nil {
			strays++
			continue
		}
		value, has := m[3], strings.Contains(words[i], "=")
		if !has && i+1 < len(words) && isValue(words[i+1]) {
			i++
			value, has = words[i], true
		}
		if !has {
			value = "true"
		}
		f.set(strings.ReplaceAll(m[1]+m[2], "_", "-"), value)
	}
	if strays > 0 {
		f.NotUnderstood = append(f.NotUnderstood, fmt.Sprintf("%s: %d words that are not flags (not shown, they may be secrets)", where, strays))
	}
}

// isValue reports whether a word after --name is the flag's value.
func isValue(word string) bool {
	return !strings.HasPrefix(word, "-") || regexp.MustCompile(`^-\d`).MatchString(word)
}

// set adds one flag. Values of flags that are not shown are dropped here.
func (f *Flags) set(name, value string) {
	at := -1
	for i, s := range f.settings {
		if s.name == name {
			at = i
		}
	}
	if at < 0 {
		f.settings = append(f.settings, setting{name: name})
		at = len(f.settings) - 1
	}
	if isShown(name) {
		f.settings[at].values = append(f.settings[at].values, value)
	}
}

// EtcdPrefix returns the prefix of the keys of these servers in etcd; "" if no flag says it.
func (f Flags) EtcdPrefix() string {
	for _, s := range f.settings {
		if n := len(s.values); s.name == etcdPrefix && n > 0 {
			return s.values[n-1]
		}
	}
	return ""
}

// Names returns the names of all flags, without dashes, in the order of the file.
func (f Flags) Names() (all []string) {
	for _, s := range f.settings {
		all = append(all, s.name)
	}
	return all
}
