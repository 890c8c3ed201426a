package main

import (
	_ "embed"

	"github.com/spf13/cobra"
)

// licenses are the licences of the program and its dependencies, see internal/licenses.
//
//go:embed licenses.txt
var licenses []byte

func newLicenses(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of the program and its dependencies",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return u.page(licenses) },
	}
}
