package transcript

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A Record is one JSON value of a session file. Every field but Pos and Raw is optional. Names and meaning are those of
// the log. The snake_case names of SDK streams fill the same fields.
type Record struct {
	Pos Pos
	// the whole value without omitted texts (unread.go, TextApart); it may share memory with the input of Read
	Raw jsontext.Value

	Type, Subtype string

	UUID, ParentUUID string
	SessionID        string
	LineageID        string // session_id: the session this one was first resumed from
	RequestID        string
	AgentID          string

	Timestamp time.Time // zero if missing or unreadable

	CWD, GitBranch, Version, Entrypoint string

	IsMeta           bool // injected by the program, not typed
	IsSidechain      bool
	IsCompactSummary bool
	IsVirtual        bool // shown to the user, never sent
	IsTranscriptOnly bool // isVisibleInTranscriptOnly: not in the chat of the program
	IsAPIError       bool // a synthetic message for a failed request
	TextApart        bool // only the blocks have the texts, Raw does not: set by translators, to save memory

	ToolUseID string // toolUseID: the call, or the hook run, that a record belongs to

	Content       jsontext.Value // system, queue-operation: usually a string
	Message       *Message       // user and assistant
	Attachment    *Attachment    // attachment
	ToolUseResult jsontext.Value // user: the structured result, a string, an array or null

	*Rare // never nil in the results of Read and Decode
}

// Rare holds fields that few records have. Most records share an empty one, because all records of a session are in
// memory at once.
type Rare struct {
	LogicalParentUUID string // compaction: the leaf before the boundary
	AgentName         string
	TeamName          string

	Origin          string         // origin.kind: human, task-notification, coordinator, peer ...
	OriginValue     jsontext.Value // origin, if an object; it has name and body if another session wrote the message
	PromptSource    string
	PermissionMode  string
	AdvisorModel    string
	Advice          []Advice // assistant: the requests besides it
	ParentToolUseID string
	SourceToolUseID string // the call that injected this text
	LeafUUID        string

	InterruptedMessageID string // user: the API message that the user interrupted
	ToolDenialKind       string // user: why a call did not run: user-rejected, interrupted, permission-rule
	ShutDown             bool   // user: the program was closed, which stopped what ran

	ResultMeta jsontext.Value // user of an SDK stream: the same for each result; see DenialKind
	MCPMeta    jsontext.Value // user: what a server of the Model Context Protocol returned besides its answer

	Level    string         // system: info, warning, error, suggestion
	CostUSD  float64        // assistant, 1.0.x or by a gateway: cost of the request in dollars; 0 if unknown
	Data     jsontext.Value // progress: its payload
	DataType string         // progress: data.type

	WireInputs jsontext.Value // assistant: the input of each call as it was sent, by the id of the call
	Contexts   jsontext.Value // user: what an editor plug-in added
	Aborted    bool           // assistant: the user stopped the answer in the middle

	StackedInput string         // user: the whole prompt as it was typed, if it begins with several commands
	Stacked      bool           // user: one of these commands other than the first
	Retracted    jsontext.Value // uuids of answers that this record takes back or replaces

	TurnOrigin      string         // user: human, sdk, peer, scheduled
	Transformations jsontext.Value // assistant: changes that the API made to the request
	Classifier      jsontext.Value // serverClassifierRequest: request to the classifier of the server about a call

	// Fields that only translators set, which know their writer.
	TextIs TextKind // user: the kind of its texts
	Sender string   // TeammateText: who sent it
	Hidden string   // the name of the rule that hides the record: "mirrored texts"
	// TakenBack means that the human took the record back, and the log has nothing in its place.
	TakenBack bool
	Rewind    bool // the human went back to the parent of this record
	// Window is the size in tokens of the context that the model could be sent, 0 if unknown.
	Window int64
	// Credits are the used units of a subscription since the program started.
	Credits []Credit
}

// A Credit is an amount in a unit of a subscription other than money: 3.5 premium requests.
type Credit struct {
	Unit string // for people, in the plural
	Used float64
}

// A TextKind is the kind of the texts of a user record, if the translator of its log knows it.
type TextKind uint8

const (
	AnyText          TextKind = iota // unknown: determined by the text itself
	PromptText                       // typed by a human
	InjectedText                     // written by the program in the role of the user
	ShellText                        // a command that the human ran in a shell
	OutputText                       // the output of such a command
	TeammateText                     // a message from another agent
	SummaryText                      // the summary of a compacted conversation
	InterruptionText                 // the human stopped the turn here
	CommandText                      // a command of the human to the program: "/model fast"
)

// nothing is the Rare of records without rare fields. It must not be written to.
var nothing Rare

// rare returns the rare fields for writing.
func (r *Record) rare() *Rare {
	if r.Rare == nil || r.Rare == &nothing {
		r.Rare = new(Rare)
	}
	return r.Rare
}

// DenialKind returns why a call did not run, given the id in its result: "" if it ran.
func (r *Record) DenialKind(id string) string {
	switch {
	case r.ShutDown && r.ToolDenialKind == "user-rejected": // nobody was asked
		return "interrupted"
	case r.ToolDenialKind != "":
		return r.ToolDenialKind
	}
	for meta := range Elements(r.ResultMeta) {
		if String(Field(meta, "id")) == id {
			return String(Field(meta, "non_execution_kind"))
		}
	}
	return ""
}

// Text returns Content if it is a string, and otherwise its JSON.
func (r *Record) Text() string { return TextOf(r.Content) }

// A Message is a message to or from the model.
type Message struct {
	ID         string // msg_...; the same on all records of one API message
	Role       string
	Model      string // "<synthetic>" if the program wrote the message
	StopReason string
	Speed      string // usage.speed: "standard", or a mode that costs more
	Usage      Usage
	HasUsage   bool
	OutputOnly bool // Usage counts only the answer, because the log does not say what was sent
	Several    bool // Usage counts several requests together, because the log has only their sum
	OfSession  bool // Usage counts requests of the whole session, not only of the turn that it is in
	Plain      bool // content was a string; Content holds it as one text block
	Content    []Block
}

// An Advice is a request to a model that advises the answering one, sums up for it, or declined in the middle of its
// answer. Its tokens are not part of those of the answer.
type Advice struct {
	Model string // "" is that of the answer
	Usage Usage
}

// Usage counts tokens as the log reports them.
type Usage struct {
	Input, Output              int64
	CacheRead                  int64
	CacheWrite                 int64 // all cache writes, including
	CacheWrite5m, CacheWrite1h int64 // these, if the log tells them apart
	WebSearches                int64
}

// Context returns the size of the request in tokens: everything that was sent.
func (u Usage) Context() int64 { return u.Input + u.CacheRead + u.CacheWrite }

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite,
		u.CacheWrite5m + v.CacheWrite5m, u.CacheWrite1h + v.CacheWrite1h, u.WebSearches + v.WebSearches,
	}
}

// A Block is one content block of a message, or of a tool result.
type Block struct {
	Type string // text, thinking, tool_use, tool_result, image, document ...
	Raw  jsontext.Value

	Text string // text, thinking

	ID    string         // tool_use
	Name  string         // tool_use; tool_reference: the name of the tool
	Input jsontext.Value // tool_use

	ToolUseID string  // tool_result
	IsError   bool    // tool_result
	Plain     bool    // tool_result: content was a string
	Content   []Block // tool_result: text for a string, one block for each element of an array

	Source Source // image, document

	Encrypted int64 // size of an encrypted text in bytes, 0 for none; only other writers have it
	NoResult  bool  // tool_use: the log has no result of this call; only other writers have it
}

// EncryptedBlock is the type of a block that has only an encrypted text, of Block.Encrypted bytes. Other writers have
// such texts in messages and in results. Reasoning is always "thinking".
const EncryptedBlock = "encrypted"

// OnlyEncrypted reports whether a block has no text apart from an encrypted one.
func (b *Block) OnlyEncrypted() bool { return b.Encrypted > 0 && b.Text == "" }

// A Source is the data of an image or a document.
type Source struct {
	Kind      string         // base64, url, text
	MediaType string         // according to the log, not verified
	Data      jsontext.Value // a JSON string, shared with the input: base64 is large
	URL       string
}

// An Attachment is injected context or the outcome of a hook.
type Attachment struct {
	Type      string
	HookEvent string
	HookName  string
	ToolUseID string
	Raw       jsontext.Value // the whole attachment object
}

// IsTyped reports whether a queued text with that mode was typed by a human: a prompt, or a command for the shell.
func IsTyped(mode string) bool { return mode == "" || mode == "prompt" || mode == "bash" }
