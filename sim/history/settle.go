package history

// settling tracks, while a history is read, which requests are under way. A killed run leaves
// writes whose effect is recorded, by the watch of the store or of a server, and whose own
// record is missing: the oracle would blame the servers for them. So a history without an End
// is used up to the last moment at which every started write has its answer recorded, and every
// answered write its change.
type settling struct {
	open     map[Intent]int // writes that were sent and not answered
	answered int64          // the highest revision that a write was answered with
	changed  int64          // the highest revision that the store's watch has shown
	last     moment
	line     int // the last record
}

// moment is how much of a history a line completes.
type moment struct {
	line                                                                   int
	seconds                                                                float64
	stages, servers, operations, listings, watches, trials, changes, skips int
}

// before processes a record that is about to be added. Without recorded intents, only the start
// of a stage is known to have nothing under way.
func (s *settling) before(h *History, r Record) {
	if !h.Header.Intents && r.Stage != nil {
		s.mark(h)
	}
}

// after processes a record that was added.
func (s *settling) after(h *History, r Record, n int) {
	s.line = n
	switch {
	case r.Intent != nil:
		if s.open == nil {
			s.open = map[Intent]int{}
		}
		intent := *r.Intent
		intent.Line = 0
		s.open[intent]++
	case r.Operation != nil:
		s.close(*r.Operation)
	case r.Change != nil:
		s.changed = max(s.changed, r.Change.Revision)
	}
	if h.Header.Intents {
		s.mark(h)
	}
}

func (s *settling) close(op Operation) {
	intent := op.Intent()
	if s.open[intent] == 0 {
		return
	}
	if s.open[intent]--; s.open[intent] == 0 {
		delete(s.open, intent)
	}
	if op.Exchange.Succeeded() {
		s.answered = max(s.answered, op.Exchange.Revision)
	}
}

// mark keeps the moment, if nothing is under way.
func (s *settling) mark(h *History) {
	if len(s.open) > 0 || s.answered > s.changed {
		return
	}
	s.last = moment{
		line: s.line, seconds: h.Seconds, stages: len(h.Stages), servers: len(h.Servers), operations: len(h.Operations), listings: len(h.Listings),
		watches: len(h.Watches), trials: len(h.Trials), changes: len(h.Changes), skips: len(h.Skips),
	}
}

// settle removes what a history without an End contains after the last settled moment.
func (h *History) settle() {
	if h.End != nil {
		return
	}
	at := h.settling.last
	h.Stages, h.Servers, h.Skips = h.Stages[:at.stages], h.Servers[:at.servers], h.Skips[:at.skips]
	h.Operations, h.Listings, h.Watches = h.Operations[:at.operations], h.Listings[:at.listings], h.Watches[:at.watches]
	h.Trials, h.Changes = h.Trials[:at.trials], h.Changes[:at.changes]
	h.Seconds, h.Unsettled = at.seconds, h.settling.line-at.line
}
