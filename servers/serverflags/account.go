package serverflags

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// Account lists the flags of a file by whether servers get them.
type Account struct {
	// Taken are the flags that the played servers get.
	Taken []Flag `json:"taken,omitempty"`
	// NotTaken are known flags, or elements of flags, that they do not get.
	NotTaken []Flag `json:"notTaken,omitempty"`
	// Unknown are flags whose effect skewsim does not know. The servers do not get them.
	Unknown []Flag `json:"unknown,omitempty"`
	// NotUnderstood describes the parts of the file that were not understood.
	NotUnderstood []string `json:"notUnderstood,omitempty"`
}

// Flag is one flag in an Account.
type Flag struct {
	Name string `json:"name"` // without dashes
	// Value is the value that is taken over, or the element of the value that is not. Values
	// that may be secrets are never in it.
	Value string `json:"value,omitempty"`
	Why   string `json:"why,omitempty"` // it is not taken over
	// Forced marks flags that skewsim sets itself.
	Forced bool `json:"forced,omitempty"`
}

// String returns the flag as on a command line.
func (f Flag) String() string {
	if f.Value == "" {
		return "--" + f.Name
	}
	return "--" + f.Name + "=" + f.Value
}

// Lines returns one line for each flag that servers get, and one for each reason why others do not
// get theirs.
func (a Account) Lines() (taken, left []string) {
	for _, f := range a.Taken {
		taken = append(taken, f.String())
	}
	flags, reasons := map[string][]string{}, []string{}
	for _, f := range slices.Concat(a.NotTaken, a.Unknown) {
		if flags[f.Why] == nil {
			reasons = append(reasons, f.Why)
		}
		flags[f.Why] = append(flags[f.Why], f.String())
	}
	for _, why := range reasons {
		left = append(left, strings.Join(flags[why], ", ")+": "+why)
	}
	for _, text := range a.NotUnderstood {
		left = append(left, "not understood: "+text)
	}
	return taken, left
}

// Take returns the options of servers with these flags, and an account of all flags. files
// maps flags that name a file, without dashes, to a copy of the file on this machine:
// admission-control-config-file.
func (f Flags) Take(files map[string]string) (servers.Options, Account) {
	t := taking{account: Account{NotUnderstood: f.NotUnderstood}}
	for _, s := range f.settings {
		t.take(s, files)
	}
	return t.options, t.account
}

// taking collects the result of Take.
type taking struct {
	options servers.Options
	account Account
}

// take decides on one flag.
func (t *taking) take(s setting, files map[string]string) {
	check, plain := taken[s.name]
	switch {
	case s.name == featureGates:
		t.options.FeatureGates = t.switches(s, gateOf)
	case s.name == runtimeConfig:
		t.options.RuntimeConfig = t.switches(s, apiOf)
	case s.name == enablePlugins || s.name == disablePlugins:
		t.plugins(s)
	case s.name == admissionConfig:
		t.admission(s, files[s.name])
	case plain:
		t.plain(s, check)
	default:
		r, known := reasonOf(s.name)
		if !known {
			t.account.Unknown = append(t.account.Unknown, Flag{Name: s.name, Why: "skewsim does not know whether the flag changes stored objects"})
			return
		}
		t.account.NotTaken = append(t.account.NotTaken, Flag{Name: s.name, Why: r.why, Forced: r.forced})
	}
}

// leave notes an element that is not taken over.
func (t *taking) leave(s setting, element, why string) {
	t.account.NotTaken = append(t.account.NotTaken, Flag{Name: s.name, Value: element, Why: why})
}

// fromVariable is why a value such as $(SERVICE_CIDR) is not taken over.
const fromVariable = "its value comes from an environment variable, which the file does not contain"

func isVariable(value string) bool { return strings.Contains(value, "$") }

// plain takes a flag over whose last value counts.
func (t *taking) plain(s setting, check check) {
	value := s.values[len(s.values)-1]
	if isVariable(value) {
		t.leave(s, "", fromVariable)
		return
	}
	if wrong := check(value); wrong != "" {
		t.leave(s, "", "its value "+wrong+": kube-apiserver does not start with it")
		return
	}
	if s.name == serviceRangeFlag {
		t.options.ServiceIPRange = value
	} else {
		t.options.Flags = append(t.options.Flags, "--"+s.name+"="+value)
	}
	t.account.Taken = append(t.account.Taken, Flag{Name: s.name, Value: value})
}

// elements returns the elements of all values of a flag.
func (s setting) elements() (all []string) {
	for _, value := range s.values {
		for element := range strings.SplitSeq(value, ",") {
			if element = strings.TrimSpace(element); element != "" {
				all = append(all, element)
			}
		}
	}
	return all
}

// switches takes a flag over that sets names to true or false. The last value of a name
// counts. of returns the name in an element's key, or why it is not taken over.
func (t *taking) switches(s setting, of func(key string) (name, why string)) map[string]bool {
	all := map[string]bool{}
	var order []string
	for _, element := range s.elements() {
		key, text, has := strings.Cut(element, "=")
		name, why := of(strings.TrimSpace(key))
		if !has && s.name == runtimeConfig {
			text = "true" // as kube-apiserver reads it
		}
		on, err := strconv.ParseBool(strings.TrimSpace(text))
		switch {
		case isVariable(element):
			t.leave(s, "", fromVariable)
			continue
		case why != "" || err != nil:
			t.leave(s, element, cmp.Or(why, "it is not of the form NAME=true or NAME=false"))
			continue
		}
		if _, set := all[name]; !set {
			order = append(order, name)
		}
		all[name] = on
	}
	if len(order) == 0 {
		return nil
	}
	for _, name := range order {
		t.account.Taken = append(t.account.Taken, Flag{Name: s.name, Value: name + "=" + strconv.FormatBool(all[name])})
	}
	return all
}

// gateOf returns the feature gate in GATE or kube:GATE.
func gateOf(key string) (name, why string) {
	component, name, qualified := strings.Cut(key, ":")
	switch {
	case !qualified:
		return key, ""
	case component == "kube":
		return name, ""
	}
	return "", "it is a feature gate of another component"
}

// apiOf returns the API of an element of --runtime-config.
func apiOf(key string) (name, why string) { return key, "" }

// serviceAccount is the admission plug-in that skewsim disables.
const serviceAccount = "ServiceAccount"

// plugins takes the names of admission plug-ins over.
func (t *taking) plugins(s setting) {
	var names []string
	for _, name := range s.elements() {
		switch {
		case isVariable(name):
			t.leave(s, "", fromVariable)
		case name == serviceAccount:
			t.account.NotTaken = append(t.account.NotTaken, Flag{
				Name: s.name, Value: name, Forced: true,
				Why: "skewsim disables it: no controller creates the service accounts that the plug-in requires of Pods",
			})
		case s.name == enablePlugins && name == "ImagePolicyWebhook":
			t.leave(s, name, "it calls a server outside the run")
		default:
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	value := strings.Join(names, ",")
	t.options.Flags = append(t.options.Flags, "--"+s.name+"="+value)
	t.account.Taken = append(t.account.Taken, Flag{Name: s.name, Value: value})
}
