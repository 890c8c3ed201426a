package transcript

import "strings"

// IsWindows reports whether a path of a record begins with a drive, or with a redacted home folder on one. Windows
// ignores case in paths.
func IsWindows(p string) bool {
	if strings.HasPrefix(p, `~\`) {
		return true
	}
	return len(p) > 2 && p[1] == ':' && 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z' && (p[2] == '/' || p[2] == '\\')
}

// CutFolder returns the rest of a path that begins with that of a folder, and reports whether it does. Case does not
// matter if isWindows says so.
func CutFolder(p, folder string, isWindows bool) (string, bool) {
	n := len(folder)
	if len(p) < n || p[:n] != folder && !(isWindows && strings.EqualFold(p[:n], folder)) {
		return p, false
	}
	return p[n:], true
}

// IsAbsolute reports whether a path in a record, of any system, does not depend on a folder. The home folder may have
// been redacted.
func IsAbsolute(p string) bool {
	if len(p) > 2 && p[1] == ':' {
		return 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z' && (p[2] == '/' || p[2] == '\\')
	}
	return strings.HasPrefix(p, "/") || p == "~" || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`)
}
