//go:build !linux

package output

import "os"

// stat returns size and time of a regular file.
func (w *Writer) stat(name string) (size, mod int64, regular bool) {
	info, err := os.Lstat(w.path(name))
	if err != nil {
		return 0, 0, false
	}
	return info.Size(), info.ModTime().UnixNano(), info.Mode().IsRegular()
}
