package sources

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// Number returns an integer, or 0 for any other value.
func Number(v jsontext.Value) int64 {
	return int64(transcript.Amount(v))
}

// Fraction returns a number, or 0 for any other value.
func Fraction(v jsontext.Value) float64 {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f != f {
		return 0
	}
	return f
}

// Dollars returns a cost, or 0 for any other value and for what cannot be one: costs are added up.
func Dollars(v jsontext.Value) float64 {
	if f := Fraction(v); f > 0 && f < 1e9 {
		return f
	}
	return 0
}

// Milliseconds returns the time that a value gives in milliseconds since 1970, in UTC, or the zero time. Numbers too
// small or too large for a time in milliseconds give the zero time.
func Milliseconds(v jsontext.Value) time.Time {
	if n := Number(v); n > minMilliseconds && n < maxMilliseconds {
		return time.UnixMilli(n).UTC()
	}
	return time.Time{}
}

const (
	minMilliseconds = 100_000_000_000     // in 1973
	maxMilliseconds = 253_402_300_800_000 // the year 10000, which RFC 3339 cannot write
)

// TimeOf returns the time, in UTC, that a value gives as an RFC 3339 string or in milliseconds since 1970. ok is false
// for any other value.
func TimeOf(v jsontext.Value) (stamp time.Time, ok bool) {
	if transcript.Kind(v) == '"' {
		at, err := time.Parse(time.RFC3339Nano, transcript.String(v))
		return at.UTC(), err == nil
	}
	at := Milliseconds(v)
	return at, !at.IsZero()
}

// InUTC returns a time that a program wrote without its zone as one in UTC, and any other value unchanged.
func InUTC(v jsontext.Value) jsontext.Value {
	at, err := time.Parse("2006-01-02T15:04:05", transcript.String(v))
	if err != nil {
		return v
	}
	return Quote(at.Format(time.RFC3339Nano))
}

// Beginning returns the beginning of a text, of at most n bytes, without the part of a character at its end.
func Beginning(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }

// SizeOf returns the number of bytes of an encrypted text.
func SizeOf(v jsontext.Value) int64 { return max(0, int64(len(v))-int64(len(`""`))) }
