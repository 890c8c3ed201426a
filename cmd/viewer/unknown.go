package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/failure"
	"viewer/internal/settings"
)

// unknownCommand returns the error about an unknown subcommand.
func unknownCommand(parent *cobra.Command, name string) error {
	err := usagef("unknown command %q", strings.TrimPrefix(parent.CommandPath()+" "+name, "viewer "))
	return failure.Usage{Err: err, Near: settings.Nearest(name, settings.CommandNames(parent))}
}

// flagError returns a usage error about the flags of a command.
func flagError(c *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		return usagef("invalid argument %q for \"--%s\" flag: %w", invalid.GetValue(), f.Name,
			settings.InvalidValue(f, errors.Unwrap(invalid)))
	}
	missing, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return failure.Usage{Err: err}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := settings.Nearest(missing.GetSpecifiedName(), names)
	if near != "" {
		near = "--" + near
	}
	return failure.Usage{Err: err, Near: near}
}
