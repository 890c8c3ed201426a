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
	Tool   string // its name as the log has it, in one line; "Result" where the log has no call
	Label  string // its name for readers, "" for Tool
	Many   string // what many such calls are called, where Label is about one of them
	Icon   string // a symbol of assets/icons.svg
	Action Action

	Target      string // one line that says what it is about: a path, a command, an address, a few words
	Prose       bool   // Target is words, not code
	Address     string // that it fetches, as the log has it
	Description string // what the call is for, in the words of who made it
	Command     string // given to a shell
	Path        string // of the file that it is about, as the log has it
	Part        string // of that file: "lines 1–20"

	Changes []Change       // to files. What came of them tells the State of the group.
	Exit    string         // code of a command that failed: "1"; "" when the log does not say
	Facts   []Fact         // short remarks
	Content []Section      // what there is to read of its input and its result, in this order
	Cut     []Field        // what Target shows only the beginning of
	Rest    jsontext.Value // an object: members of the input that nothing here tells; nil when there are none

	Open        bool // a reader wants to see what is in it, though it went well
	Background  bool // it goes on after its result, which says only that it was started
	Interrupted bool
	Failure     bool  // the drawing of Template has the text of an error
	Media       bool  // Content has the images of the result
	Generic     bool  // Content shows input and text as they are, and nothing tells of the structured result
	Known       bool  // the description is that of its tool, or says why there is none
	Err         error // why a call of a known tool is described as if it were unknown

	Template string // of a drawing of its own, "" where Content says how it is drawn
	Detail   any    // what that drawing is made from: Bash, Questions, Findings, Workflow, WebFetch

	tookSaid time.Duration // by the tool itself

	group   *normalize.Group
	context Context
}

// An Action is what kind of thing a call does.
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
	Plan            // what is to be done
)

// A Change is what a call does to one file.
type Change struct {
	Path             string // as the log has it
	OldPath          string // before it was renamed, else ""
	Created, Deleted bool
	Hunks            []markup.Hunk
	Content          string // the whole new file, where there are no hunks
	Fragment         string // what was put into it, where the log has neither: a cell of a notebook
	Added, Removed   int    // lines, as far as the log tells
}

// A Fact is a short remark: "148 lines", "exit 1", "in background".
type Fact struct {
	Text string
	Tone Tone
	Main bool // stays where there is little room
}

// A Tone says how a Fact is meant.
type Tone string

const (
	Neutral Tone = ""
	Added   Tone = "add"
	Removed Tone = "del"
	Warning Tone = "warn"
	Bad     Tone = "bad"
)

// A Section is one thing that there is to read of a call.
type Section struct {
	Shape Shape
	Given bool   // it is of the input
	Drawn bool   // Template draws it: it is for those who do not draw
	Label string // above it, "" for none

	Text    string         // Text, Terminal, Command, Code, Any, Prose, Markdown, Note
	Lang    string         // Code, Diff: a file name, an extension or a language
	First   int            // Code: the number of its first line, 0 for code without numbers
	Hunks   []markup.Hunk  // Diff
	Name    string         // Prose, Markdown: tells it from others of the call
	JSON    jsontext.Value // Members: an object
	Told    string         // Members: the member that is Target
	Without string         // Members: a member that another section tells
	Words   bool           // Members: known names are put into words
	List    []Field        // Fields
	Links   []Link         // Links
	Items   []Item         // Items
	Media   []Medium       // Media
}

// A Shape says how a Section reads.
type Shape uint8

const (
	Text     Shape = iota // as it is
	Terminal              // what a command printed
	Command               // of a shell
	Code                  // source
	Any                   // text of unknown kind: JSON, or what a command may have printed
	Diff                  // of a file
	Prose                 // Markdown; the rest of a long one folds
	Markdown              // Markdown that does not fold
	Note                  // a line in the words of this program
	Fields                // names and values
	Members               // of a JSON object, as they are
	Links                 // addresses
	Items                 // things to do
	Media                 // images and documents
)

// A Field is a value with its name.
type Field struct {
	Name, Value string
	Long        bool // it is in a block of its own
}

// A Link is an address with its title. The address is as the log has it: it may be of any scheme.
type Link struct{ Title, URL string }

// An Item is one of a list of things to do.
type Item struct {
	Text  string
	State ItemState
}

// An ItemState is how far an Item is.
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
