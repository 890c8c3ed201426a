package schemacheck

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFolderNames: a clone may be in a folder whose name has characters that addresses escape.
func TestFolderNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a clone (1) & more")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	const list = `{"$ref":"#/$defs/list","$defs":{"list":{"type":"array"}}}`
	if err := os.WriteFile("list.json", []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	schema := LoadFile(t, "list.json")
	if Validate(schema, []byte(`[]`)) != nil || Validate(schema, []byte(`{}`)) == nil {
		t.Error("the schema does not tell a list from an object")
	}
}
