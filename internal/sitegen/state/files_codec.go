package state

import (
	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

func encodeOutput(w *codec.Encoder, f *output.File) {
	w.Text(f.Name)
	w.Int(f.Size, f.Mod)
}

func decodeOutput(f *codec.Decoder) output.File {
	return output.File{Name: f.Text(), Size: f.Int(), Mod: f.Int()}
}

func encodeStamp(w *codec.Encoder, s fingerprint.Stamp) {
	w.Int(s.Size, s.Mod, s.Changed, int64(s.Inode))
}

func decodeStamp(f *codec.Decoder) fingerprint.Stamp {
	return fingerprint.Stamp{Size: f.Int(), Mod: f.Int(), Changed: f.Int(), Inode: uint64(f.Int())}
}

// EncodeFile encodes a file of a source.
func EncodeFile(w *codec.Encoder, k File) {
	w.Digest(k.Content)
	encodeStamp(w, k.Stamp)
}

// DecodeFile decodes it.
func DecodeFile(f *codec.Decoder) File {
	content := f.Digest()
	return File{decodeStamp(f), content}
}
