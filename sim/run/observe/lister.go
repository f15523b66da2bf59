package observe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

const (
	// pagesWanted is the number of pages of a paged LIST, at most: enough to continue more
	// than once, and cheap.
	pagesWanted = 3
	// PagesLimit ends a LIST that a server continues for ever.
	PagesLimit = 100
)

// Lister LISTs one kind through one replica.
type Lister struct {
	all    *Lists
	step   int
	r      *fleet.Replica
	served history.Resource
	// beside is set for a line's LIST by fields, and for the one that it is compared with:
	// they show the run's copies in any version.
	beside   bool
	selector string // "": all
	at       int64  // the requested revision; 0: the newest
}

// forms LISTs in each form. The number of items in the first form decides the size of the
// last form's pages.
func (l Lister) forms(ctx context.Context) error {
	items := len(l.all.known.ShownAs(l.r.Role, l.served)) + left(l.all.known.Plan)
	for _, form := range []term.ListForm{term.ConsistentList, term.CachedList, term.PagedList} {
		if before := l.standing(form); before != nil {
			if err := l.repeated(before); err != nil {
				return err
			}
			continue
		}
		answer, all, err := l.list(ctx, form, items)
		if err != nil {
			return err
		}
		if form == term.ConsistentList && answer.Succeeded() {
			items = all
		}
	}
	return nil
}

// list LISTs in one form, to its end, and records it. It returns the last answer, and the
// number of items.
func (l Lister) list(ctx context.Context, form term.ListForm, items int) (client.Answer, int, error) {
	record := &history.Listing{
		Step: l.step, Replica: l.r.Name, Role: l.r.Role, APIVersion: l.served.APIVersion, Kind: l.served.Kind, Form: form,
		FieldSelector: l.selector,
	}
	query, all := l.selecting(QueryOf(form, items)), 0
	for pages := 1; ; pages++ {
		answer, exchange, got, err := l.Ask(ctx, query)
		if err != nil {
			return answer, all, err
		}
		failed := exchange.Error != "" || !answer.Succeeded()
		if got.Next != "" && pages == PagesLimit {
			exchange.Error, failed = fmt.Sprintf("the LIST continues after %d pages", pages), true
		}
		if pages == 1 || failed {
			record.Exchange = exchange
		}
		if form == term.PagedList && !failed {
			record.Pages++
		}
		record.Items, all = append(record.Items, got.Items...), all+got.all
		if !failed && got.Next == "" && l.selector == "" && !l.beside && l.at == 0 {
			l.all.shown.Store(l.of(form), record)
		}
		if failed || got.Next == "" {
			return answer, all, errors.Join(l.all.recorder.Record(history.Record{Listing: record}), l.silent(answer))
		}
		query["continue"] = got.Next
	}
}

// silent returns the error that ends the run when a LIST was not answered in time, as for
// any other request: all later ones would wait as long.
func (l Lister) silent(answer client.Answer) error {
	if !answer.TimedOut() {
		return nil
	}
	return fmt.Errorf("step %d: replica %s (%s) did not answer the LIST of %s %s within %s; log: %s", l.step, l.r.Name,
		l.all.known.Version(l.r.Role), l.served.APIVersion, l.served.Kind, answer.Took.Round(time.Second), l.r.Process.LogPath())
}

// QueryOf returns the query of a form. With two items there are at least two pages.
func QueryOf(form term.ListForm, items int) map[string]string {
	switch form {
	case term.CachedList:
		return map[string]string{"resourceVersion": "0"}
	case term.PagedList:
		return map[string]string{"limit": strconv.Itoa(max(1, (items+pagesWanted-1)/pagesWanted))}
	}
	return map[string]string{}
}

// Ask sends one request of a LIST and reads its answer.
func (l Lister) Ask(ctx context.Context, query map[string]string) (client.Answer, history.Exchange, page, error) {
	request := client.Request{Method: http.MethodGet, Path: l.all.known.Location(l.served).Collection(), Query: query}
	answer := l.r.Conn.Do(ctx, request)
	if ctx.Err() != nil {
		return answer, history.Exchange{}, page{}, context.Cause(ctx)
	}
	recorded := answer
	var got page
	var unread error
	if answer.Succeeded() {
		if got, unread = l.read(answer.Body); unread == nil {
			recorded.Body = nil // its items are recorded one by one
		}
	}
	exchange, err := l.all.recorder.Exchange(request, recorded)
	if got.revision != 0 {
		exchange.Revision = got.revision
	}
	if unread != nil { // the oracle judges such an answer
		exchange.Error = "the answer cannot be read: " + unread.Error()
	}
	return answer, exchange, got, err
}

func (p page) under(head listHead) page {
	p.revision, p.Next = Revision(head.Metadata.ResourceVersion), head.Metadata.Continue
	return p
}
