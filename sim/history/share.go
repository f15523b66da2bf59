package history

import "slices"

// Long histories repeat the same names, digests and lists in every LIST. Equal values are kept
// once and shared by all records: nobody changes a record.

// share returns the same string for all equal ones.
func share[S ~string](known map[string]string, words ...*S) {
	for _, word := range words {
		if same, ok := known[string(*word)]; ok {
			*word = S(same)
			continue
		}
		known[string(*word)] = string(*word)
	}
}

func (h *History) shareWords(r Record) {
	switch {
	case r.Operation != nil:
		h.shareOperation(r.Operation)
	case r.Intent != nil:
		share(h.words, &r.Intent.Copy)
		share(h.words, &r.Intent.Purpose)
	case r.Listing != nil:
		share(h.words, &r.Listing.Replica, &r.Listing.Kind, &r.Listing.APIVersion)
		for i := range r.Listing.Items {
			share(h.words, &r.Listing.Items[i].Copy, &r.Listing.Items[i].Answer)
		}
	case r.Watch != nil:
		share(h.words, &r.Watch.Copy, &r.Watch.Replica, &r.Watch.Kind, &r.Watch.APIVersion, &r.Watch.Answer)
		share(h.words, &r.Watch.Role)
		share(h.words, &r.Watch.Event)
	case r.Trial != nil:
		share(h.words, &r.Trial.Copy, &r.Trial.Key, &r.Trial.Value, &r.Trial.Answer)
	case r.Change != nil:
		share(h.words, &r.Change.Key, &r.Change.Value, &r.Change.Kind, &r.Change.APIVersion, &r.Change.Encoding)
	}
}

func (h *History) shareOperation(o *Operation) {
	x := &o.Exchange
	share(h.words, &o.Copy, &o.Replica, &o.Follows, &x.Method, &x.Path, &x.Query, &x.ContentType, &x.Sent, &x.Answer, &x.SentBytes, &x.AnswerBytes, &x.Reason, &x.Message)
	share(h.words, &o.Purpose)
	share(h.words, &o.Role)
	share(h.words, &o.Client)
}

// listsBack is how many earlier LISTs are searched for an equal one: a stage's edge has one in
// each form through each replica.
const listsBack = 12

// shareItems shares the items of a LIST with an earlier equal LIST. It leaves out a history in
// memory, which is small and which its owner may change.
func (h *History) shareItems(r Record) {
	if r.Listing == nil || h.bodies == nil {
		return
	}
	for i := len(h.Listings) - 1; i >= max(0, len(h.Listings)-listsBack); i-- {
		if slices.Equal(h.Listings[i].Items, r.Listing.Items) {
			r.Listing.Items = h.Listings[i].Items
			return
		}
	}
	r.Listing.Items = slices.Clone(r.Listing.Items) // clipped, because it grew while it was read
}
