package play

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// AdmissionNotes say which admission webhooks of the releases nobody serves.
func AdmissionNotes(builds map[term.Role]servers.Build) (notes []string) {
	for _, role := range term.Roles() {
		if i := builds[role.Word].Installs; i != nil {
			for _, text := range i.LeftOut {
				notes = append(notes, fmt.Sprintf("admission webhook of %s left out: %s", role.Word, text))
			}
		}
	}
	return notes
}

// StoredNotes say what was read in each lap.
func StoredNotes(all []StoredReading) (notes []string) {
	for _, r := range all {
		notes = append(notes, r.Note())
		for _, row := range r.Rows {
			for role, reading := range map[term.Role]Reading{term.Old: row.Old, term.New: row.New} {
				if reading.Ended {
					notes = append(notes, fmt.Sprintf("%s: a server of the %s release ends when it reads %s %s at %s, as %s: %s", r.Lap, role, row.APIVersion, row.Kind, row.Key, row.Encoding, reading.Message))
				}
			}
		}
	}
	return notes
}

// Note says how many values were read, and how many of them otherwise.
func (r StoredReading) Note() string {
	kinds, counts, silent := map[string]bool{}, map[term.Effect]int{}, 0
	for _, row := range r.Rows {
		kinds[row.APIVersion+" "+row.Kind] = true
		if !isDecided(row.Old) && row.Old.Served || !isDecided(row.New) && row.New.Served {
			silent++
		}
	}
	for _, f := range facts(r.Rows) {
		counts[f.effect]++
	}
	note := fmt.Sprintf("%s: %s of %s, as either release stores them, read by both without validation: %d undecodable, %s hidden, %d read as something else",
		r.Lap, term.Numbered(len(r.Rows), "value"), term.Numbered(len(kinds), "kind"), counts[term.Undecodable.Effect()],
		term.Numbered(counts[term.Hidden.Effect()], "field"), counts[term.Changed.Effect()])
	if counts[term.Panicked.Effect()] > 0 {
		note += fmt.Sprintf(", %d over which a server panics or ends", counts[term.Panicked.Effect()])
	}
	if silent > 0 {
		note += fmt.Sprintf(", %d not answered", silent)
	}
	return note
}
