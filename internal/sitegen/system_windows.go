package sitegen

import (
	"errors"
	"io/fs"
	"unsafe"

	"golang.org/x/sys/windows"
)

// full says that the disk has no space left.
func full(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// busy says that another program keeps everybody else from a file, or may do so: of
// a file that is open somewhere and is to be replaced it is the access that is denied.
func busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// An inWords is an error of the system in words of ours.
type inWords struct {
	error
	words string
}

func (e inWords) Error() string { return e.words }
func (e inWords) Unwrap() error { return e.error }

// plainly is an error of the system in words that go on after a colon. Those of Windows
// are sentences in the language of the user: what is drawn of one would depend on that.
func plainly(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return inWords{err, "no such file or directory"}
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION), errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return inWords{err, "another program has it open"}
	case errors.Is(err, fs.ErrPermission):
		return inWords{err, "permission denied"}
	case full(err):
		return inWords{err, "no space left on device"}
	case errors.Is(err, windows.ERROR_INVALID_NAME):
		return inWords{err, "there can be no such name"}
	}
	return err
}

// changed is when a file was last changed, in nanoseconds since 1970, 0 where the system
// does not tell. The path may have been led out of its source meanwhile: all that comes of
// it is that the file is read again.
func changed(path string) int64 {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0
	}
	const all = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, all, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(h)
	var basic struct { // FILE_BASIC_INFO
		created, accessed, written, changed windows.Filetime
		attributes, _                       uint32
	}
	if err := windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic))); err != nil || basic.changed == (windows.Filetime{}) {
		return 0
	}
	return basic.changed.Nanoseconds()
}
