package tools

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Call describes one call of a tool: what it was about, and its result.
type Call struct {
	Tool   string // its name in the log, on one line; "Result" if the log has no call
	Label  string // its name for readers, "" for Tool
	Many   string // the label for several such calls, if it differs
	Icon   string // a symbol of assets/icons.svg
	Action Action

	Target      string // one line that says what it is about: a path, a command, an address, a few words
	Prose       bool   // Target is words, not code
	Address     string // address that it fetches, as in the log
	Description string // purpose of the call, in the words of the model
	Command     string // given to a shell
	Path        string // of the file that it is about, as in the log
	Part        string // of that file: "lines 1–20"

	Changes []Change       // to files. The State of the group tells whether they were made.
	Exit    string         // exit code of a command that failed: "1"; "" if unknown
	Facts   []Fact         // short remarks
	Content []Section      // input and result, in reading order
	Cut     []Field        // full texts of what Target shows only in part
	Rest    jsontext.Value // an object: members of the input that no other field has; nil for none

	Open        bool // worth opening although it succeeded
	Background  bool // it continues after its result, which says only that it was started
	Interrupted bool
	Failure     bool  // the drawing of Template has the text of an error
	Media       bool  // Content has the images of the result
	Generic     bool  // Content has input and text unchanged, and nothing of the structured result
	Known       bool  // the description is that of its tool, or says why there is none
	Err         error // why a call of a known tool is described like one of an unknown tool

	Template string // name of a template, "" if Content is drawn by its shapes
	Detail   any    // data of the template: Bash, Questions, Findings, Workflow, WebFetch

	tookSaid time.Duration // duration that the tool states
	shown    FileTexts     // with Before, if the result for the model has the whole text of a file

	group   *normalize.Group
	context Context
}

// An Action is the kind of thing that a call does.
type Action uint8

const (
	Other    Action = iota
	Read            // a file or a folder
	Write           // a whole file
	Edit            // a part of a file
	Delete          // a file
	Move            // a file
	Run             // a command
	Search          // in files
	Fetch           // from the network
	Ask             // the user
	Delegate        // to another agent
	Plan            // things to do
)

// A Change is a change of one file by a call.
type Change struct {
	Path             string // as the log has it
	OldPath          string // before it was renamed, otherwise ""
	Created, Deleted bool
	Hunks            []markup.Hunk
	Content          string // the whole new file, if there are no hunks
	Fragment         string // the inserted text, if the log has neither: a cell of a notebook
	Added, Removed   int    // lines, as far as the log tells
}

// A Fact is a short remark: "148 lines", "exit 1", "in background".
type Fact struct {
	Text string
	Tone Tone
	Main bool // shown even on narrow screens
}

// A Tone is the meaning of a Fact.
type Tone string

const (
	Neutral Tone = ""
	Added   Tone = "add"
	Removed Tone = "del"
	Warning Tone = "warn"
	Bad     Tone = "bad"
)

// A Section is a part of the input or the result of a call.
type Section struct {
	Shape Shape
	Given bool   // it is part of the input
	Drawn bool   // Template draws it; it is for outputs that use no template
	Label string // above it, "" for none

	Text    string         // Text, Terminal, Command, Code, Any, Prose, Markdown, Note
	Lang    string         // Code, Diff: a file name, an extension or a language
	First   int            // Code: the number of its first line, 0 for code without numbers
	Hunks   []markup.Hunk  // Diff
	Name    string         // Prose, Markdown: unique in the call
	JSON    jsontext.Value // Members: an object
	Told    string         // Members: the member that Target shows
	Without string         // Members: a member that another section shows
	Words   bool           // Members: known names are replaced by words
	List    []Field        // Fields
	Links   []Link         // Links
	Items   []Item         // Items
	Media   []Medium       // Media
}

// A Shape is the form of a Section.
type Shape uint8

const (
	Text     Shape = iota // as it is
	Terminal              // output of a command
	Command               // of a shell
	Code                  // source
	Any                   // text of unknown kind: JSON, or output of a command
	Diff                  // of a file
	Prose                 // Markdown; the rest of a long text is folded
	Markdown              // Markdown that is not folded
	Note                  // a line written by this program
	Fields                // names and values
	Members               // of a JSON object, unchanged
	Links                 // addresses
	Items                 // things to do
	Media                 // images and documents
)

// A Field is a value with its name.
type Field struct {
	Name, Value string
	Long        bool // drawn as a separate block
}

// A Link is an address with its title. The address is that of the log and may have any scheme.
type Link struct{ Title, URL string }

// An Item is an element of a list of things to do.
type Item struct {
	Text  string
	State ItemState
}

// An ItemState is the state of an Item.
type ItemState uint8

const (
	ItemOpen ItemState = iota
	ItemActive
	ItemDone
	ItemDeleted
)

// A Medium is an image or a document.
type Medium struct {
	Source transcript.Source
	Kind   string // image, document
}
