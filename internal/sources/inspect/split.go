package inspect

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// most limits how many bytes of a document or of a file in an archive are read.
const most = 256 << 20

// errCut reports that a file in an archive is larger than that.
var errCut = fmt.Errorf("it is larger than %d MB", most>>20)

// Split finds the samples in a log.
func (s Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	head := sources.ReadHead(io.NewSectionReader(data, 0, size)) // an error is reported when the file is read
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return splitArchive(data, size)
	}
	if !s.Match(sources.NewHead(head)) || size > most {
		return nil, nil
	}
	return splitDocument(data, size)
}

// splitDocument finds the samples in a document with more than one.
func splitDocument(data io.ReaderAt, size int64) ([]sources.Part, error) {
	doc, err := io.ReadAll(io.NewSectionReader(data, 0, size))
	if err != nil {
		return nil, err
	}
	var log sources.Object
	if log.Read(doc); log.Get("samples") == nil {
		return nil, nil
	}
	var parts []sources.Part
	shared := evaluation{log.Get("status"), log.Get("eval"), transcript.Field(log.Get("results"), "scores")}
	reduced := reducedScores(reductionsIn(&log))
	for e := range transcript.Elements(log.Get("samples")) {
		id, epoch := transcript.TextOf(transcript.Field(e, "id")), transcript.TextOf(transcript.Field(e, "epoch"))
		name := sampleName(id, epoch)
		part := shared.envelope(reduced[id], e)
		sum := fnv.New64a() // also of what is shared, which may change alone
		_, _ = sum.Write(part)
		parts = append(parts, sources.Part{
			Name: name, Size: int64(len(part)), Version: max(1, sum.Sum64()),
			Read: func() ([]byte, error) { return part, nil },
		})
	}
	if len(parts) < 2 {
		return nil, nil
	}
	return parts, nil
}

// sampleName returns the name that archives give a sample.
func sampleName(id, epoch string) string { return id + epochInfix + epoch }

const epochInfix = "_epoch_"

// An evaluation is what the samples of a log share.
type evaluation struct{ status, eval, scores jsontext.Value }

// envelope returns a sample with the facts of its log. The first line is incomplete JSON, so the file is read as a
// document.
func (e evaluation) envelope(reduced, sample jsontext.Value) []byte {
	out := []byte("{\n\"" + mark + "\":1")
	for _, m := range []struct {
		name  string
		value jsontext.Value
	}{{"status", e.status}, {"eval", e.eval}, {"scores", e.scores}, {"reduced", reduced}, {"sample", sample}} {
		if len(m.value) > 0 {
			out = append(append(out, ",\n\""+m.name+"\":\n"...), m.value...)
		}
	}
	return append(out, "\n}\n"...)
}

// splitArchive finds the samples in an archive. While it is being written, it has no header, only the start of the run.
func splitArchive(data io.ReaderAt, size int64) ([]sources.Part, error) {
	archive, err := zip.NewReader(data, size)
	if err != nil {
		return nil, err
	}
	archive.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxMemory(most)))
	header, version, err := readHeader(archive)
	if err != nil || len(header) == 0 { // without one it is an archive of another program
		return nil, err
	}
	reduced := func() (map[string]jsontext.Value, error) { return nil, nil }
	shared := evaluation{header.Get("status"), header.Get("eval"), transcript.Field(header.Get("results"), "scores")}
	var parts []sources.Part
	for _, f := range archive.File {
		if f.Name == "reductions.json" {
			version ^= uint64(f.CRC32) << 32
			reduced = sync.OnceValues(func() (map[string]jsontext.Value, error) {
				text, err := readMember(f)
				return reducedScores(text), err
			})
		}
	}
	for _, f := range archive.File {
		name, ok := strings.CutPrefix(f.Name, "samples/")
		name, isJSON := strings.CutSuffix(name, ".json")
		if !ok || !isJSON {
			continue
		}
		parts = append(parts, sources.Part{
			Name: name, Size: int64(min(f.UncompressedSize64, most)), Version: max(1, version^uint64(f.CRC32)),
			Changed: f.Modified.UTC(),
			Read: func() ([]byte, error) {
				sample, err := readMember(f)
				if err != nil {
					return nil, err
				}
				scores, err := reduced()
				if err != nil { // the sample is read without them, and says so
					return shared.envelope(sources.Quote(err.Error()), sample), nil
				}
				id := name[:max(0, strings.LastIndex(name, epochInfix))]
				return shared.envelope(scores[id], sample), nil
			},
		})
	}
	return parts, nil
}

// readHeader reads the header of an archive, or else the start of the run. version changes with it.
func readHeader(archive *zip.Reader) (header sources.Object, version uint64, err error) {
	for _, name := range []string{"_journal/start.json", "header.json"} {
		for _, f := range archive.File {
			if f.Name != name {
				continue
			}
			text, err := readMember(f)
			if err != nil {
				return nil, 0, err
			}
			header.Read(text)
			version = uint64(f.CRC32) << 32
		}
	}
	return header, version, nil
}

// readMember decompresses a file in an archive.
func readMember(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && len(data) > most {
		err = errCut
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return data, nil
}
