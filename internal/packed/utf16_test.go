package packed

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

// FuzzUnits: all bytes can be decoded again. The text has no characters that are special in strings of JavaScript, and
// is valid UTF-16.
func FuzzUnits(f *testing.F) {
	for n := range 40 {
		f.Add(bytes.Repeat([]byte{0xff, 0, 0xa5}, n)[:n])
	}
	for _, unit := range []uint16{'\n', '\r', '"', '\\', 1, 0x8001, 0xd7ff, 0xd800, 0xdc00, 0xdfff, 0xe000, 0xfeff} {
		f.Add(binary.LittleEndian.AppendUint16([]byte{2, 2}, unit))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		packed := append([]byte{0x1f}, data...)
		text := appendUnits(nil, packed)
		var units []uint16
		for at := 0; at < len(text); at += 2 {
			unit := binary.LittleEndian.Uint16(text[at:])
			if unit == '\n' || unit == '\r' || unit == '"' || unit == '\\' {
				t.Fatalf("special character %#x in %x", unit, text)
			}
			units = append(units, unit)
		}
		if again := utf16.Encode(utf16.Decode(units)); len(again) != len(units) {
			t.Errorf("%x is not UTF-16", text)
		}
		if again, ok := decodeUnits(text); !ok || !bytes.Equal(again, packed) {
			t.Errorf("decoded %x, %t, want %x", again, ok, packed)
		}
		if again, ok := decodeUnits(data); ok && len(again) > 0 && again[0] != 0 &&
			!bytes.Equal(appendUnits(nil, again), data) && data[0] != 0 {
			t.Errorf("%x decodes to %x, which has another encoding", data, again)
		}
	})
}
