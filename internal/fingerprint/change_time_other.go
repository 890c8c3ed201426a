//go:build !windows

package fingerprint

// ChangeTime returns 0, because the stamp of the file is all that is known on this system.
func ChangeTime(string) int64 { return 0 }
