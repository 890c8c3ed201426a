package fingerprint

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// ChangeTime returns when a file was last changed, in nanoseconds since 1970, or 0 if the system does not tell. If the
// path was replaced by a link meanwhile, the only effect is that the file is read again.
func ChangeTime(path string) int64 {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0
	}
	const all = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, all, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(h)
	var basic struct { // FILE_BASIC_INFO
		created, accessed, written, changed windows.Filetime
		attributes, _                       uint32
	}
	if err := windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)),
		uint32(unsafe.Sizeof(basic))); err != nil || basic.changed == (windows.Filetime{}) {
		return 0
	}
	return basic.changed.Nanoseconds()
}
