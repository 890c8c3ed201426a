package tools

import (
	"reflect"
	"testing"
)

// TestTodoChanges: the changes that a query makes to the list of todos. Statements of other forms give none.
func TestTodoChanges(t *testing.T) {
	for query, want := range map[string][]todoChange{
		"INSERT INTO todos (id, title, description) VALUES\n ('oil', 'Fill in oil', 'don''t spill (it), please; or'),\n" +
			" ('wick', 'Trim the wick', '')": {
			{ID: "oil", Title: "Fill in oil", Added: true}, {ID: "wick", Title: "Trim the wick", Added: true},
		},
		"insert or replace into todos(title,id,status) values('Ask','a','blocked');": {
			{ID: "a", Title: "Ask", Status: "blocked", Added: true},
		},
		"UPDATE todos SET status = 'done' WHERE id = 'oil'; UPDATE todos SET status='in_progress' WHERE id IN ('a','b')": {
			{ID: "oil", Status: "done"}, {ID: "a", Status: "in_progress"}, {ID: "b", Status: "in_progress"},
		},
		"-- all of them\nUPDATE todos SET status = 'done', title = \"x\"":  {{Status: "done", Title: "x"}},
		"DELETE FROM todos WHERE id = 'oil'":                               {{ID: "oil", Status: "deleted"}},
		"UPDATE todos SET status = 'done' WHERE id = 'a' AND status = 'b'": nil,
		"UPDATE todos SET status = 'done' WHERE id = ''":                   nil,
		"UPDATE todos SET status = 'done' WHERE title LIKE 'a%'":           nil,
		"INSERT INTO todo_deps (todo_id, depends_on) VALUES ('a', 'b')":    nil,
		"INSERT INTO todos SELECT * FROM x":                                nil,
		"SELECT * FROM todos":                                              nil,
		"INSERT INTO todos (id) VALUES ('never closed":                     {{ID: "never closed", Added: true}},
		"UPDATE todos SET": {{}},
		"todos":            nil,
		"":                 nil,
	} {
		if got := todoChanges(query); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", query, got, want)
		}
	}
}
