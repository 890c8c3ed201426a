package state

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sources"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/fill"
	"viewer/render"
)

// TestRecorded fills all fields of the stored state of a session with generated values, whatever fields there are, and
// checks that decoding returns them.
func TestRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	sessions := 20
	if corpus.Full() {
		sessions = 50
	}
	for range sessions {
		var facts sources.Facts
		var drawn render.Drawing
		summary, files, ledger := &drawn.Summary, &drawn.Files, &drawn.Ledger
		var outputs []string
		for _, v := range []any{&facts, summary, files, ledger, &outputs, &drawn.Insights} {
			fill.Value(random, reflect.ValueOf(v).Elem())
		}
		// Which is not the name of a file.
		outputs = slices.DeleteFunc(outputs, func(name string) bool { return name == "/" })
		outputs = append(outputs, "s/"+summary.Folder+"/index.html", "s/"+summary.Folder+"x/index.html")
		if random.IntN(2) == 0 {
			summary.ID = summary.Folder
		}
		k := NewSession(EncodeFacts(facts), outputs, &drawn)
		k.Key, k.Source = fingerprint.Digest{byte(random.Uint32())}, fingerprint.Digest{1, byte(random.Uint32())}
		k.Segment = fingerprint.Digest{2}
		k.Pages, k.Units, k.Kept = random.IntN(100), random.IntN(100), summary.Kept

		var r codec.Encoder
		encodeSession(&r, k)
		var again Session
		f := codec.Decoder{Rest: string(r)}
		decodeSession(&f, &again)
		if f.Short || f.Rest != "" || again != *k {
			t.Fatalf("read %+v, want %+v; %d bytes left, want none", again, *k, len(f.Rest))
		}
		var sum render.Ledger
		again.AddLedger(&sum)
		for _, c := range []struct{ got, want any }{
			{again.CWD(), facts.CWD}, {again.Title(), summary.Title},
			{again.Facts(), facts}, {again.Summary(), *summary}, {again.Files(), *files}, {again.Outputs(), outputs},
			{sum, *ledger}, {again.Insights(nil), drawn.Insights},
		} {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Fatalf("read %+v\nwant %+v", c.got, c.want)
			}
		}
		for n := range len(r) { // truncated data must be reported, without a panic
			f := codec.Decoder{Rest: string(r[:n])}
			if decodeSession(&f, new(Session)); !f.Short {
				t.Fatalf("%d bytes of %d decode without an error", n, len(r))
			}
			decodeSummary(&codec.Decoder{Rest: string(r[n:])}, "")
			decodeChangedFiles(&codec.Decoder{Rest: string(r[n:])})
			decodeOutputs(&codec.Decoder{Rest: string(r[n:])}, "")
			DecodeFacts(string(r[n:]))
			decodeLedger(&codec.Decoder{Rest: string(r[n:])}, new(render.Ledger))
		}
	}
}
