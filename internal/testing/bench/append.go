package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// appendRecord appends a prompt to the session of the median size, as a running session does every few seconds.
func appendRecord(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.jsonl"))
	if err != nil {
		return err
	}
	size := make(map[string]int64)
	var sessions []string
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if size[name] = info.Size(); info.Size() > 0 && !strings.HasPrefix(filepath.Base(name), "agent-") {
			sessions = append(sessions, name)
		}
	}
	if len(sessions) == 0 {
		return fmt.Errorf("no session in %s", folder)
	}
	sort.Slice(sessions, func(i, j int) bool { return size[sessions[i]] < size[sessions[j]] })
	name := sessions[len(sessions)/2]
	data, err := endOf(name, size[name])
	if err != nil {
		return err
	}
	last := between(data, `"uuid":"`)
	now := time.Now()
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", now.Unix()&0xffffffff, now.Nanosecond())
	record := fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"userType":"external","cwd":%q,"sessionId":%q,"version":"2.1.210","type":"user",`+
		`"message":{"role":"user","content":"One more thing, %s: the **lamps** of the corner share a fuse."},"uuid":%q,"timestamp":%q}`+"\n",
		last, between(data, `"cwd":"`), between(data, `"sessionId":"`), id, id, between(data, `"timestamp":"`))
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(record)
	return errors.Join(err, f.Close())
}

// endOf returns the last lines of a file without reading all of it. Linux counts the memory of this process in the peak
// of each program that it starts.
func endOf(name string, size int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 4 << 20
	return io.ReadAll(io.NewSectionReader(f, max(0, size-most), most))
}

// between returns the last string after a mark.
func between(data []byte, mark string) string {
	at := bytes.LastIndex(data, []byte(mark))
	if at < 0 {
		return ""
	}
	text, _, _ := bytes.Cut(data[at+len(mark):], []byte{'"'})
	return string(text)
}
