package blame

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf16"

	"viewer/internal/changes"
	"viewer/internal/failure"
	"viewer/internal/words"
)

// maxBlamed is the largest file that is compared with sessions, in bytes.
const maxBlamed = 64_000_000

// A Lines is a range of lines of a file, from 1. The zero value is all lines.
type Lines struct{ From, To int }

func (r Lines) has(line int) bool { return r.From == 0 || r.From <= line && line <= r.To }

// ParseLines reads "7", "7-12" and "7,12".
func ParseLines(s string) (Lines, error) {
	first, last, two := strings.Cut(strings.ReplaceAll(s, ",", "-"), "-")
	if !two {
		last = first
	}
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil || from < 1 || to < from {
		return Lines{}, fmt.Errorf("%q is invalid: use a line or a range of lines, such as 7 or 7-12", s)
	}
	return Lines{from, to}, nil
}

// Split splits FILE:LINE, unless a file has that name.
func Split(arg string) (string, Lines, error) {
	i := strings.LastIndexByte(arg, ':')
	if _, err := os.Lstat(arg); err == nil || i < 1 {
		return arg, Lines{}, nil
	}
	lines, err := ParseLines(arg[i+1:])
	if err != nil {
		if _, missing := os.Lstat(arg[:i]); missing != nil {
			return arg, Lines{}, nil // reading it reports the error
		}
		return "", Lines{}, fmt.Errorf("%s: %w", arg, err)
	}
	return arg[:i], lines, nil
}

// ReadText reads a text file as the tools of agents do: as UTF-8, or as UTF-16 if it has that byte order mark.
func ReadText(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"viewer blame compares a file as it is now with the logs: give its path")
	case info.IsDir():
		return "", failure.New(fmt.Errorf("%s is a folder", name), "viewer blame takes one file")
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is %w", name, failure.ErrIrregular)
	case info.Size() > maxBlamed:
		return "", fmt.Errorf("%s is too large: %s, at most %s", name, words.Size(int(info.Size())),
			words.Size(maxBlamed))
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, failure.Cause(err))
	}
	text, ok := decode(data)
	if !ok {
		return "", fmt.Errorf("%s is binary: it has no lines", name)
	}
	return text, nil
}

// decode returns the text of a file. ok is false if it is binary.
func decode(data []byte) (text string, ok bool) {
	if units, ok := utf16Units(data); ok {
		return string(utf16.Decode(units)), true
	}
	return replaceInvalid(data), bytes.IndexByte(data, 0) < 0
}

// linesOf returns the lines of the bytes of a file.
func linesOf(data []byte) []string {
	text, _ := decode(data)
	return changes.SplitLines(text)
}

// replaceInvalid replaces each byte that is not UTF-8 with U+FFFD, as logs do.
func replaceInvalid(data []byte) string { return string([]rune(string(data))) }

// utf16Units returns the units of a text that begins with a byte order mark of UTF-16. A single byte at the end, which
// is left of a file that was cut off, is ignored.
func utf16Units(data []byte) ([]uint16, bool) {
	big := bytes.HasPrefix(data, []byte{0xfe, 0xff})
	if !big && !bytes.HasPrefix(data, []byte{0xff, 0xfe}) {
		return nil, false
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		high, low := data[i+1], data[i]
		if big {
			high, low = low, high
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return units, true
}

// namesOf returns the absolute paths of a file, each with its normalized form, which is compared with logs.
func namesOf(file string) (map[string]string, string, error) {
	whole, err := filepath.Abs(file)
	if err != nil {
		return nil, "", errors.New("the current folder no longer exists")
	}
	names := map[string]string{changes.CleanNative(whole): changes.CleanNative(whole)}
	if real, err := filepath.EvalSymlinks(whole); err == nil {
		names[changes.CleanNative(real)] = changes.CleanNative(whole)
	}
	return names, whole, nil
}
