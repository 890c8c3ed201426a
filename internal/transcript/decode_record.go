package transcript

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// record fills r from the object at the parser's position.
func (d *decoder) record(r *Record) {
	var line jsontext.Value
	start := d.p.pos
	d.synthetic, d.failed, d.command = false, false, nil
	d.p.open()
	for name, ok := d.member(true); ok; name, ok = d.member(false) {
		if string(name) == "line" {
			line = d.p.value()
		} else {
			d.usualMember(r, name)
		}
	}
	r.Pos, r.Raw = d.pos, d.p.data[start:d.p.pos]
	if r.Message == nil && r.Attachment == nil && r.Type != "progress" && r.Type != "stream_event" {
		d.values++ // drawn on a separate line
	}
	r.SessionID = cmp.Or(r.SessionID, r.LineageID)
	if d.synthetic {
		r.IsMeta = true
		r.IsCompactSummary = r.IsCompactSummary || isSummary(r)
	}
	if d.failed && r.Type == "assistant" && r.Message != nil && r.Message.Model == "<synthetic>" {
		r.IsAPIError = true
	}
	if r.Type == "assistant" && strings.HasPrefix(String(d.command), "<local-command-") {
		// SDK streams have what a command printed as an answer, session files as such a record.
		r.Type, r.Subtype, r.Content, r.Message = "system", "local_command", d.command, nil
	}
	if r.Type == "" && Kind(line) == '{' && !d.inside && !d.p.failed {
		// Older debug captures wrap each line: {"_dir":…,"_ts":…,"line":{…}}.
		raw := r.Raw
		*r = Record{Rare: &nothing}
		inner := decoder{p: parser{data: line}, pos: d.pos, quota: d.quota, interned: d.interned, inside: true}
		inner.record(r)
		d.quota = inner.quota
		r.Raw = raw
	}
}

// isSummary reports whether a record that the program wrote is the summary of a compaction, which SDK streams do not
// mark.
func isSummary(r *Record) bool {
	return r.Type == "user" && r.Message != nil && len(r.Message.Content) > 0 &&
		strings.HasPrefix(r.Message.Content[0].Text, "This session is being continued from a previous conversation")
}

// usualMember reads a member that most records have; others are passed to flagMember.
func (d *decoder) usualMember(r *Record, name []byte) {
	switch string(name) {
	case "type":
		d.str(&r.Type, "type")
	case "subtype":
		d.str(&r.Subtype, "subtype")
	case "uuid":
		d.str(&r.UUID, "uuid")
	case "parentUuid":
		d.str(&r.ParentUUID, "parentUuid")
	case "sessionId":
		d.str(&r.SessionID, "sessionId")
	case "session_id":
		d.str(&r.LineageID, "session_id")
	case "requestId":
		d.str(&r.RequestID, "requestId")
	case "request_id":
		d.str(&r.RequestID, "request_id")
	case "agentId":
		d.str(&r.AgentID, "agentId")
	case "timestamp":
		d.time(&r.Timestamp, "timestamp")
	case "cwd":
		d.str(&r.CWD, "cwd")
	case "gitBranch":
		d.str(&r.GitBranch, "gitBranch")
	case "version":
		// Bookkeeping records use the name for a number.
		r.Version = TextOf(d.p.value())
	case "entrypoint":
		d.str(&r.Entrypoint, "entrypoint")
	case "toolUseID":
		d.str(&r.ToolUseID, "toolUseID")
	case "content":
		r.Content = d.p.value()
	case "toolUseResult", "tool_use_result":
		r.ToolUseResult = d.p.value()
	case "message":
		r.Message = d.message(r)
	case "attachment":
		r.Attachment = d.attachment()
	default:
		d.flagMember(r, name)
	}
}

// flagMember reads a boolean member; others are passed to rareMember.
func (d *decoder) flagMember(r *Record, name []byte) {
	switch string(name) {
	case "isMeta":
		d.flag(&r.IsMeta, "isMeta")
	case "isSynthetic":
		d.flag(&d.synthetic, "isSynthetic")
	case "isSidechain":
		d.flag(&r.IsSidechain, "isSidechain")
	case "isCompactSummary":
		d.flag(&r.IsCompactSummary, "isCompactSummary")
	case "isVisibleInTranscriptOnly":
		d.flag(&r.IsTranscriptOnly, "isVisibleInTranscriptOnly")
	case "isVirtual":
		d.flag(&r.IsVirtual, "isVirtual")
	case "interruptedByShutdown":
		d.flag(&r.rare().ShutDown, "interruptedByShutdown")
	case "stackedExpansion":
		d.flag(&r.rare().Stacked, "stackedExpansion")
	case "isApiErrorMessage", "is_api_error_message":
		d.flag(&r.IsAPIError, string(name))
	default:
		d.rareMember(r, name)
	}
}

// rareMember reads a member that few records have. Unknown members are skipped.
func (d *decoder) rareMember(r *Record, name []byte) {
	switch string(name) {
	case "logicalParentUuid":
		d.str(&r.rare().LogicalParentUUID, "logicalParentUuid")
	case "agentName":
		d.str(&r.rare().AgentName, "agentName")
	case "teamName":
		d.str(&r.rare().TeamName, "teamName")
	case "origin":
		d.origin(r)
	case "promptSource":
		d.str(&r.rare().PromptSource, "promptSource")
	case "advisorModel":
		d.str(&r.rare().AdvisorModel, "advisorModel")
	case "permissionMode":
		d.str(&r.rare().PermissionMode, "permissionMode")
	case "parentToolUseID":
		d.str(&r.rare().ParentToolUseID, "parentToolUseID")
	case "parent_tool_use_id":
		d.str(&r.rare().ParentToolUseID, "parent_tool_use_id")
	case "sourceToolUseID":
		d.str(&r.rare().SourceToolUseID, "sourceToolUseID")
	case "leafUuid":
		d.str(&r.rare().LeafUUID, "leafUuid")
	case "interruptedMessageId":
		d.str(&r.rare().InterruptedMessageID, "interruptedMessageId")
	case "toolDenialKind":
		d.str(&r.rare().ToolDenialKind, "toolDenialKind")
	case "tool_result_meta":
		r.rare().ResultMeta = d.p.value()
	case "mcpMeta":
		r.rare().MCPMeta = d.p.value()
	case "level":
		d.str(&r.rare().Level, "level")
	case "costUSD":
		if dollars, ok := d.amount(1e9, "costUSD"); ok {
			r.rare().CostUSD = dollars
		}
	case "wireToolInputs", "wire_tool_inputs":
		r.rare().WireInputs = d.p.value()
	case "turnOrigin":
		d.str(&r.rare().TurnOrigin, "turnOrigin")
	case "serverClassifierRequest":
		r.rare().Classifier = d.p.value()
	case "stackedOriginalInput":
		d.str(&r.rare().StackedInput, "stackedOriginalInput")
	case "isAbortedMidStream", "aborted":
		if Kind(d.p.value()) == 't' {
			r.rare().Aborted = true
		}
	case "retractedMessageUuids", "retracted_message_uuids", "supersedesUuids", "supersedes":
		r.rare().Retracted = d.p.value()
	case "error":
		d.failed = Kind(d.p.value()) == '"'
	case "local_command_source":
		d.command = d.p.value()
	case "contexts":
		r.rare().Contexts = d.p.value()
	case "data":
		data := d.p.value()
		r.rare().Data, r.rare().DataType = data, String(Field(data, "type"))
	default:
		d.p.value()
	}
}

// origin reads an object with a kind, which is a string in some captures.
func (d *decoder) origin(r *Record) {
	value := d.p.value()
	origin := cmp.Or(String(value), String(Field(value, "kind")))
	if origin != "" {
		r.rare().Origin = origin
	}
	if Kind(value) == '{' {
		r.rare().OriginValue = value
	}
}

func source(v jsontext.Value) Source {
	var s Source
	for name, value := range Members(v) {
		switch name {
		case "type":
			s.Kind = String(value)
		case "media_type":
			s.MediaType = String(value)
		case "data":
			if Kind(value) == '"' {
				s.Data = value
			}
		case "url":
			s.URL = String(value)
		}
	}
	return s
}

func (d *decoder) attachment() *Attachment {
	d.p.space()
	start := d.p.pos
	if !d.object("attachment") {
		return nil
	}
	d.values += valuesPerBlock
	a := new(Attachment)
	for name, ok := d.member(true); ok; name, ok = d.member(false) {
		switch string(name) {
		case "type":
			d.str(&a.Type, "attachment.type")
		case "hookEvent":
			d.str(&a.HookEvent, "attachment.hookEvent")
		case "hookName":
			d.str(&a.HookName, "attachment.hookName")
		case "toolUseID":
			d.str(&a.ToolUseID, "attachment.toolUseID")
		default:
			d.p.value()
		}
	}
	a.Raw = d.p.data[start:d.p.pos]
	return a
}
