package reports_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"reflect"
	"sort"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// attacks are what a name, a value, an annotation, a log line or an error may hold:
// each means something to what reads one of the formats, or shows it.
func attacks() []string {
	return []string{
		`</script></style></title></textarea><img src=x onerror=alert(1)><svg onload=alert(1)>`,
		`"><iframe srcdoc="<script>alert(1)</script>"></iframe>`,
		`' onmouseover='alert(1)' style='position:fixed`,
		"\" autofocus onfocus=alert(1) x=\"`${alert(1)}`",
		`javascript:alert(document.domain)//`,
		`{{.Plan}}{{template "evidence" .}}<%= 1 %>#{1}`,
		`]]>]]&gt;<![CDATA[<!ENTITY x SYSTEM "file:///etc/passwd">&x;`,
		`--><!-- --!><script>alert(1)</script>`,
		"\x1b[2J\x1b[31m\x1b]8;;https://evil.example\x07link\x1b]8;;\x07\x9b31m\r\b\b\x7f",
		"\u202e\u2066\u200f\u200b\ufeff\u2028\u2029\u0085\ufffe\uffff\U000e0041",
		"\x00\x01\xff\xfe\xc0\xaf\xed\xa0\x80",
		`__proto__`, `constructor`, `toString`,
		"# heading\n\n* item\n\n[text](https://evil.example) ![i](https://evil.example/x.png) @everyone #1 **b** <b>b</b>\n\n---\n```\n",
		"` `` ``` | a | b | \\| \\` $x^2$ :smile: ~~s~~ <!-- -->\n|---|---|\n</details></summary>",
		"https://evil.example/x?a=1&b=2 www.evil.example mailto:x@evil.example evil@evil.example",
		"- a: &x [1]\n  b: *x\n? !!binary\n%YAML 1.1\n---\n...",
		"::error file=x::y\n##[error]z\nFAIL: x\n[[ATTACHMENT|/etc/passwd]]",
		"/../../../../etc/passwd%2e%2e%2f?outcome=lost&x=1#step-1/%00",
		"'; rm -rf / #$(reboot)`reboot`\\",
		strings.Repeat("A", 10_000),
		strings.Repeat("z\u0335\u0321", 500),
	}
}

// hostileRun is a run in which an attack is in every string that a server, an object, a
// scenario or a log can set.
func hostileRun() reports.Run { return injectedRun(0) }

// injectedRun is the same with the attacks moved on by so many places: after as many as
// there are attacks, each string has held each of them.
func injectedRun(turn int) reports.Run {
	all := attacks()
	run := rewrittenRun(func(text string) string {
		sum := fnv.New32a()
		sum.Write([]byte(text)) // never fails
		attack := all[(int(sum.Sum32()%1000)+turn)%len(all)]
		if sum.Sum32()%2 == 0 {
			return attack + text
		}
		return text + attack
	})
	if turn%2 == 0 {
		run.Plan.Leg = nil // a run by itself, as most are
	}
	return run
}

// benignRun is a run of the same form in which each string is a word.
func benignRun() reports.Run {
	run := rewrittenRun(func(text string) string { return text })
	run.Plan.Leg = nil
	return run
}

// rewrittenRun is a run in which every part is there, each string of which went through
// change. Equal strings stay equal, so that what belongs together does so still.
func rewrittenRun(change func(string) string) reports.Run {
	base := gadgets()
	known := base.Blobs
	w := rewriter{change: change}
	w.value(reflect.ValueOf(&base.Tool).Elem(), "tool")
	w.value(reflect.ValueOf(&base.Result).Elem(), "result")
	w.value(reflect.ValueOf(&base.Ledger).Elem(), "ledger")
	w.value(reflect.ValueOf(&base.Plan).Elem(), "plan")
	w.value(reflect.ValueOf(&base.Servers).Elem(), "servers")
	base.Plan.Confidential = nil // it would hide what is to be drawn
	base.Blobs = func(digest string) (history.Blob, bool) {
		for _, original := range w.origins[digest] {
			if blob, ok := known(original); ok {
				return w.blob(blob), true
			}
		}
		return history.Blob{}, false
	}
	return base
}

// gadgets returns the run that rewrittenRun rewrites. It is made once: a rewriter changes no
// slice, map or pointer that it finds, but puts another in its place.
var gadgets = sync.OnceValue(func() reports.Run {
	run := gadgetRun(false)
	run.Ledger.Copies = shortened(run.Ledger.Copies)
	return run
})

// shortened is one copy of each kind with its first rows: more say nothing else.
func shortened(copies []result.CopyLedger) (few []result.CopyLedger) {
	seen := map[string]bool{}
	for _, c := range copies {
		if !seen[c.Kind] {
			seen[c.Kind] = true
			c.Rows = c.Rows[:min(len(c.Rows), 4)]
			few = append(few, c)
		}
	}
	return few
}

// rewriter walks values for their strings.
type rewriter struct {
	change  func(string) string
	origins map[string][]string // what was made into a string
}

func (w *rewriter) text(s string) string {
	made := w.change(s)
	if w.origins == nil {
		w.origins = map[string][]string{}
	}
	w.origins[made] = append(w.origins[made], s)
	return made
}

// value rewrites what can be reached from v, and fills in what is not there: a part that a
// run need not have may be as hostile. Words of closed lists stay.
func (w *rewriter) value(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.String:
		w.str(v, name)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				w.value(v.Field(i), v.Type().Field(i).Name)
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			fresh := reflect.New(v.Type().Elem())
			fresh.Elem().Set(v.Elem())
			v.Set(fresh)
		}
		w.value(v.Elem(), name)
	case reflect.Slice:
		w.slice(v, name)
	case reflect.Map:
		w.table(v, name)
	case reflect.Interface:
		v.Set(reflect.ValueOf(w.free(v.Interface(), name)))
	}
}

func (w *rewriter) str(v reflect.Value, name string) {
	switch {
	case v.Type() != reflect.TypeFor[string]():
		return // a word of a closed list
	case v.String() == "":
		v.SetString(w.text(strings.ToLower(name)))
	default:
		v.SetString(w.text(v.String()))
	}
}

func (w *rewriter) slice(v reflect.Value, name string) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return
	}
	fresh := reflect.MakeSlice(v.Type(), max(1, v.Len()), max(1, v.Len()))
	reflect.Copy(fresh, v)
	v.Set(fresh)
	for i := range v.Len() {
		w.value(v.Index(i), name)
	}
}

func (w *rewriter) table(v reflect.Value, name string) {
	fresh := reflect.MakeMap(v.Type())
	keys := v.MapKeys()
	if len(keys) == 0 {
		keys = []reflect.Value{reflect.New(v.Type().Key()).Elem()}
	}
	for _, key := range keys {
		at, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		at.Set(key)
		w.value(at, name)
		if v.Len() > 0 {
			value.Set(v.MapIndex(key))
		}
		w.value(value, name)
		fresh.SetMapIndex(at, value)
	}
	v.Set(fresh)
}

// free rewrites a value of any type, as objects have them.
func (w *rewriter) free(value any, name string) any {
	switch v := value.(type) {
	case nil:
		return w.text(strings.ToLower(name))
	case string:
		return w.text(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = w.free(item, name)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, item := range v {
			out[w.text(key)] = w.free(item, name)
		}
		return out
	}
	return value
}

// blob rewrites the strings of a body; of one that is no JSON, the whole.
func (w *rewriter) blob(b history.Blob) history.Blob {
	if b.JSON == nil {
		b.Bytes = []byte(w.text(string(b.Bytes)))
		return b
	}
	var value any
	if err := json.Unmarshal(b.JSON, &value); err != nil {
		panic(err) // the fixture made it
	}
	b.JSON, _ = json.Marshal(w.free(value, "body"))
	return b
}

// stringsOf lists the strings that can be reached from a value, with where they are.
func stringsOf(v reflect.Value, at string) (all []string) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			return []string{at + "\t" + v.String()}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				all = append(all, stringsOf(v.Field(i), at+"."+v.Type().Field(i).Name)...)
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return stringsOf(v.Elem(), at)
		}
		return []string{at + "\t<nil>"}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, stringsOf(v.Index(i), at)...)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			all = append(all, stringsOf(key, at+" key")...)
			all = append(all, stringsOf(v.MapIndex(key), at)...)
		}
	}
	sort.Strings(all)
	return all
}

// harmless lists the strings of a run that hold no attack.
func harmless(r reports.Run) (all []string) {
	for _, part := range []any{r.Result, r.Ledger, r.Plan, r.Servers, r.Tool} {
		for _, text := range stringsOf(reflect.ValueOf(part), fmt.Sprintf("%T", part)) {
			if !holdsAttack(text) {
				all = append(all, text)
			}
		}
	}
	return all
}

func holdsAttack(text string) bool {
	for _, attack := range attacks() {
		if strings.Contains(text, attack) {
			return true
		}
	}
	return redact.IsFingerprint(text)
}
