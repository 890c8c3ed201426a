package transcript

import "strings"

// IsAbsolute reports whether a path in a record, of any system, does not depend on a folder. The home folder may have
// been redacted.
func IsAbsolute(p string) bool {
	if len(p) > 2 && p[1] == ':' {
		return 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z' && (p[2] == '/' || p[2] == '\\')
	}
	return strings.HasPrefix(p, "/") || p == "~" || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`)
}
