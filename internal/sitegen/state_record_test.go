package sitegen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"viewer/internal/codec"
	"viewer/internal/sources"
	"viewer/render"
)

// TestRecorded fills everything that is kept of a session with made-up values,
// whatever fields there are, and demands all of it back.
func TestRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		var facts sources.Facts
		var summary render.Summary
		var ledger render.Ledger
		var outputs []string
		for _, v := range []any{&facts, &summary, &ledger, &outputs} {
			fill(random, reflect.ValueOf(v).Elem())
		}
		outputs = append(outputs, "s/"+summary.Folder+"/index.html", "s/"+summary.Folder+"x/index.html")
		if random.IntN(2) == 0 {
			summary.ID = summary.Folder
		}
		var recorded codec.Encoder
		encodeFacts(&recorded, facts)
		k := know(string(recorded), outputs, &summary, &ledger)
		k.key, k.source, k.part = digest{byte(random.Uint32())}, digest{1, byte(random.Uint32())}, digest{2}
		k.pages, k.units, k.archived = random.IntN(100), random.IntN(100), summary.Archived

		var r codec.Encoder
		encodeSession(&r, k)
		var again knownSession
		f := codec.Decoder{Rest: string(r)}
		decodeSession(&f, &again)
		if f.Short || f.Rest != "" || again != *k {
			t.Fatalf("read %+v of %+v, %d bytes left", again, *k, len(f.Rest))
		}
		var sum render.Ledger
		again.addLedger(&sum)
		for _, c := range []struct{ got, want any }{{again.mainFacts(), facts}, {again.summary(), summary}, {again.files(), outputs}, {sum, ledger}} {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Fatalf("read  %+v\nof %+v", c.got, c.want)
			}
		}
		for n := range len(r) { // what is cut off says so, and nothing panics
			f := codec.Decoder{Rest: string(r[:n])}
			if decodeSession(&f, new(knownSession)); !f.Short {
				t.Fatalf("%d bytes of %d seem to be whole", n, len(r))
			}
			decodeSummary(&codec.Decoder{Rest: string(r[n:])}, "")
			decodeOutputs(&codec.Decoder{Rest: string(r[n:])}, "")
			decodeFacts(&codec.Decoder{Rest: string(r[n:])})
			decodeLedger(&codec.Decoder{Rest: string(r[n:])}, new(render.Ledger))
		}
	}
}

// fill gives a value to every field, so that none is forgotten.
func fill(random *rand.Rand, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		if random.IntN(4) > 0 {
			v.Set(reflect.ValueOf(time.Unix(random.Int64N(1<<33)-1<<32, random.Int64N(1e9)).UTC()))
		}
		return
	}
	n := random.IntN(4)
	switch v.Kind() {
	case reflect.String:
		v.SetString(string(bytes.Repeat([]byte{byte(random.Uint32())}, n*n*n*n)))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(random.Uint64()) >> random.IntN(64))
	case reflect.Bool:
		v.SetBool(n > 1)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(random, v.Field(i))
		}
	case reflect.Slice:
		for range n {
			one := reflect.New(v.Type().Elem()).Elem()
			fill(random, one)
			v.Set(reflect.Append(v, one))
		}
	case reflect.Map:
		if n > 0 || v.Type().Elem().Kind() == reflect.Int { // counts are added to others
			v.Set(reflect.MakeMap(v.Type()))
		}
		for i := range n {
			one := reflect.New(v.Type().Elem()).Elem()
			fill(random, one)
			v.SetMapIndex(reflect.ValueOf(fmt.Sprint(i)), one)
		}
	default:
		panic(v.Type().String() + " is of a kind that no test fills")
	}
}
