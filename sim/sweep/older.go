package sweep

import (
	"encoding/json"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
)

// olderVersion is the format that has verdicts and fates where SchemaVersion has outcomes and actors.
const olderVersion = "skewsim.dev/sweep/v1"

// Decode reads a sweep.json, also of the format before.
func Decode(text []byte) (Result, error) {
	var of struct {
		SchemaVersion string `json:"schemaVersion"`
	}
	var r Result
	if err := json.Unmarshal(text, &of); err != nil {
		return r, fmt.Errorf("is not the sweep.json of a sweep: %w", err)
	}
	switch of.SchemaVersion {
	case SchemaVersion:
	case olderVersion:
		var document map[string]any
		if err := json.Unmarshal(text, &document); err != nil {
			return r, fmt.Errorf("is not the sweep.json of a sweep: %w", err)
		}
		text, _ = json.Marshal(renewed(document))
	default:
		return r, fmt.Errorf("has the format %q, and this skewsim reads %s and %s", of.SchemaVersion, SchemaVersion, olderVersion)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("is not the sweep.json of a sweep: %w", err)
	}
	if of.SchemaVersion == olderVersion {
		r.SchemaVersion = SchemaVersion
		renameBehaviour(r.Rows)
	}
	return r, nil
}

// renewed returns a document of the older format, or a part of it, in the words of this one.
func renewed(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = renewed(v[i])
		}
	case map[string]any:
		for key, value := range v {
			v[key] = renewed(value)
			text, _ := value.(string)
			switch key {
			case "verdict", "fate":
				if e := effectOfOlder(text); e.Outcome != "" && !term.Verdicts().Has(term.VerdictWord(text)) {
					delete(v, key)
					v["outcome"], v["actor"] = e.Outcome, e.Actor
				}
			case "before", "after":
				if e := effectOfOlder(text); e.Outcome != "" {
					v[key] = e
				}
			case "default", "gates", "cellsLeftOut":
				v[key] = renewedCounts(v[key])
			}
		}
	}
	return v
}

// renewedCounts returns counts by outcome, where they are ones.
func renewedCounts(v any) any {
	counts, is := v.(map[string]any)
	if !is {
		return v
	}
	all := map[string]any{}
	for word, n := range counts {
		if e := effectOfOlder(word); e.Outcome != "" {
			word = e.String()
		}
		all[word] = n
	}
	return all
}

// effectOfOlder returns what a word of the older format is now; the zero Effect for other words. Whatever a
// release served as another value, sweeps called something else.
func effectOfOlder(word string) term.Effect {
	if word == string(term.MeansOther) {
		return term.Changed.Effect()
	}
	e, err := term.ParseEffect(word)
	if err != nil {
		return term.Effect{}
	}
	return e
}

// renameBehaviour renews the names and IDs of rows that no published difference explains: they name what
// became of the value.
func renameBehaviour(rows []Row) {
	for i := range rows {
		r := &rows[i]
		e := effectOfOlder(r.Name)
		if r.Difference.Difference != term.BehaviourChanged || e.Outcome == "" || r.ID != RowID(r.Difference) {
			continue
		}
		r.Name = e.String()
		r.ID = RowID(r.Difference)
	}
}
