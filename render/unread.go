package render

import (
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A reading records which members of a system record a drawing has used, so that its frame can list the rest: new
// versions add unknown members.
type reading struct {
	types []reflect.Type // structs that were filled from it
	all   bool           // the drawing lists all members itself
}

// constantContent has the drawings that do not show the content of their record, because it is always this value.
var constantContent = map[string]string{
	"turn_duration": "", "stop_hook_summary": "", "api_error": "", "api_metrics": "", "memory_saved": "",
	"compact_boundary": "Conversation compacted", "microcompact_boundary": "Context microcompacted",
}

// unread lists the members of the record of an event other than its envelope and those that the drawing used.
func (e event) unread() []field {
	if e.read == nil || e.read.all {
		return nil
	}
	var rest []byte
	for name, value := range transcript.QuotedMembers(e.Record.Raw) {
		plain := transcript.String(name)
		usual, silent := constantContent[e.Name]
		switch {
		case envelopeField[plain], eventField[plain]:
		case plain == "content" && (!silent || transcript.TextOf(value) == usual):
		default:
			if value = e.read.rest(plain, value); value == nil || isMeaningless(value) {
				continue
			}
			if transcript.Kind(value) != '{' {
				rest = appendMember(rest, name, value)
				continue
			}
			for name, inner := range transcript.QuotedMembers(value) {
				rest = appendMember(rest, name, inner)
			}
		}
	}
	return e.d.fields(rest)
}

// eventField are further fields of the envelope, in any session.
var eventField = map[string]bool{
	"type": true, "subtype": true, "uuid": true, "timestamp": true, "session_id": true, "parent_tool_use_id": true,
	"toolUseID": true, "agentId": true, "teamName": true, "agentName": true, "requestId": true, "forkedFrom": true,
	"sidechainParentUuid": true, "sessionKind": true,
}

// isMeaningless reports whether a value is not worth listing.
func isMeaningless(v jsontext.Value) bool {
	switch string(v) {
	case "null", "false", `""`, "[]", "{}":
		return true
	}
	return false
}

// rest returns the part of a member that the structs have no field for, nil for none.
func (r *reading) rest(name string, value jsontext.Value) jsontext.Value {
	for _, t := range r.types {
		if f, known := fieldOf(t, name); known {
			return restOf(f, value)
		}
	}
	return value
}

// fieldOf returns the field that decode fills with a member.
func fieldOf(t reflect.Type, name string) (field reflect.Type, known bool) {
	types, _ := structFields.LoadOrStore(t, sync.OnceValue(func() map[string]reflect.Type {
		all := make(map[string]reflect.Type)
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous && f.Tag == "" { // only the field for the rest has a tag
				all[folded(f.Name)] = f.Type
			}
		}
		return all
	}))
	field, known = types.(func() map[string]reflect.Type)()[folded(name)]
	return field, known
}

// structFields holds the fields of each struct that drawings decode into.
var structFields sync.Map

// folded returns a name in lower case and without "_" and "-", like the comparison of json.MatchCaseInsensitiveNames.
func folded(name string) string {
	return strings.ToLower(unfold.Replace(name))
}

var unfold = strings.NewReplacer("_", "", "-", "")

// restOf returns the part of a value that a field of a type does not take.
func restOf(t reflect.Type, value jsontext.Value) jsontext.Value {
	switch {
	case isMeaningless(value):
		return nil
	case t == reflect.TypeFor[number]():
		var n number
		if err := n.UnmarshalJSON(value); err == nil && (n != 0 || string(value) == "0") {
			return nil
		}
		return value
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()), t == reflect.TypeFor[jsontext.Value]():
		return nil
	case t.Kind() == reflect.Struct:
		var rest jsontext.Value
		for name, inner := range transcript.QuotedMembers(value) {
			if f, known := fieldOf(t, transcript.String(name)); known {
				inner = restOf(f, inner)
			}
			if inner != nil && !isMeaningless(inner) {
				rest = appendMember(rest, name, inner)
			}
		}
		return rest
	case t.Kind() == reflect.Slice:
		var rest jsontext.Value
		for e := range transcript.Elements(value) {
			if e = restOf(t.Elem(), e); e != nil {
				rest = append(append(rest, ','), e...)
			}
		}
		if rest != nil {
			rest[0] = '['
			rest = append(rest, ']')
		}
		return rest
	}
	return nil
}
