// Package schemacheck checks JSON that the program writes against the schemas in docs/schema. The schemas allow members
// that they do not name, for later versions; this package never does. It is for tests only.
package schemacheck

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Base is the beginning of the addresses that schemas have while they are compiled. Without one they would be addresses
// of files in the current folder, whose name may have characters that are escaped, and are then not found.
const Base = "https://schema.example/"

// Folder returns the folder of the schemas, from any folder of the module.
func Folder(t testing.TB) string {
	t.Helper()
	for dir := "."; ; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "docs", "schema")
		}
		if abs, err := filepath.Abs(dir); err != nil || abs == filepath.Dir(abs) {
			t.Fatalf("no go.mod in a parent folder: %v", err)
		}
	}
}

// Load compiles the schema in a file, such as "list.json".
func Load(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	for file, doc := range Documents(t) {
		closeObjects(doc)
		if err := c.AddResource(Base+file, doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(Base + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// LoadFile compiles the schema in a file of testdata.
func LoadFile(t testing.TB, file string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(Base+"schema.json", doc); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c.MustCompile(Base + "schema.json")
}

// Documents returns the schemas by the names of their files.
func Documents(t testing.TB) map[string]any {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Folder(t), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]any)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[filepath.Base(file)] = doc
	}
	return all
}

// closeObjects forbids members that a schema does not name.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

// Validate returns an error if data does not match a schema.
func Validate(schema *jsonschema.Schema, data []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}
