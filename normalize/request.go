package normalize

import "viewer/internal/transcript"

// A Request is one API message, which the log writes as several records, one for each block, each repeating the usage.
type Request struct {
	ID         string // message id, otherwise request id, otherwise uuid of the record
	Model      string
	Speed      string // "", "standard", or a mode that costs more
	Usage      transcript.Usage
	HasUsage   bool
	OutputOnly bool               // see transcript.Message
	Several    bool               // see transcript.Message
	OfSession  bool               // see transcript.Message
	CostUSD    float64            // in dollars, according to the log; 0 if unknown
	Window     int64              // see transcript.Rare
	First      *transcript.Record // its first record
	Last       *transcript.Record
	Repeats    bool // the same id is in an earlier turn, as in a copied history: its usage counts there
}

// RequestID returns an id that the records of one API message share, "" for other records.
func RequestID(r *transcript.Record) string {
	switch {
	case r.Type != "assistant":
		return ""
	case r.Message != nil && r.Message.ID != "":
		return r.Message.ID
	case r.RequestID != "":
		return r.RequestID
	}
	return r.UUID
}

// merge returns the API messages of a turn, in order of their first record. The last record counts: earlier ones have
// the usage of a stream that was still running. byID has the requests of the turns before.
func merge(messages []*Message, byID map[string]*Request) []*Request {
	var requests []*Request
	here := make(map[string]*Request)
	for _, m := range messages {
		r := m.Record
		id := RequestID(r)
		if r.Type != "assistant" || r.Message == nil || m.Part > 0 || m.Rule == ruleRepeated || m.Copied() {
			continue
		}
		req := here[id]
		if req == nil || id == "" {
			req = &Request{ID: id, First: r}
			requests = append(requests, req)
			here[id] = req
			if byID[id] != nil && id != "" {
				req.Repeats = true
			} else {
				byID[id] = req
			}
		}
		req.Last = r
		if r.Message.Model != "" {
			req.Model = r.Message.Model
		}
		if r.CostUSD > 0 {
			req.CostUSD = r.CostUSD
		}
		if r.Window > 0 {
			req.Window = r.Window
		}
		if r.Message.HasUsage {
			req.Usage, req.HasUsage, req.Speed = r.Message.Usage, true, r.Message.Speed
			req.OutputOnly, req.Several = r.Message.OutputOnly, r.Message.Several
			req.OfSession = r.Message.OfSession
		}
	}
	return requests
}
