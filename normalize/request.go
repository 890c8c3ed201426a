package normalize

import "viewer/internal/transcript"

// A Request is one API message: what the log writes as several records, one a block, each repeating the usage.
type Request struct {
	ID         string // message id; else request id; else the record's uuid
	Model      string
	Speed      string // "", "standard", or a mode that costs more
	Usage      transcript.Usage
	HasUsage   bool
	OutputOnly bool               // see transcript.Message
	CostUSD    float64            // in dollars, as the log says; 0 when it does not
	First      *transcript.Record // where it starts
	Last       *transcript.Record
	Repeats    bool // the same id is in an earlier turn: a copied history, its usage is counted there
}

// RequestID joins the records of one API message, "" for other records.
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

// merge finds the API messages of a turn, in order of their first record. The
// last record wins: early ones carry the usage of a stream that still ran.
// known holds the requests of the turns before.
func merge(messages []*Message, byID map[string]*Request) []*Request {
	var requests []*Request
	here := make(map[string]*Request)
	for _, m := range messages {
		r := m.Record
		id := RequestID(r)
		if r.Type != "assistant" || r.Message == nil || m.Part > 0 || m.Rule == ruleRepeated || m.Rule == ruleShared {
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
		if r.Message.HasUsage {
			req.Usage, req.HasUsage, req.Speed = r.Message.Usage, true, r.Message.Speed
			req.OutputOnly = r.Message.OutputOnly
		}
	}
	return requests
}
