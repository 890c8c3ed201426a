package main

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// usualColumns is the assumed width of a terminal of unknown width.
const usualColumns = 80

// outColumns returns the width of the terminal, 0 if standard output is not a terminal.
func (u *ui) outColumns() int {
	f, ok := u.out.Raw().(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return usualColumns
}
