package main

import (
	"context"

	"viewer/internal/sitegen"
)

// An outputFlag is a flag that names a file to write, with its value.
type outputFlag struct {
	flag string
	sitegen.Output
}

// checkOutputs returns an error for files that a command which reads these sources must not write, see
// sitegen.Output.Check.
func checkOutputs(ctx context.Context, sources []string, outputs ...outputFlag) error {
	for _, o := range outputs {
		if err := o.Check(ctx, sources); err != nil {
			return usagef("%s %s %w", o.flag, o.Name, err)
		}
	}
	return nil
}

// outputFile returns the flag of a file to write that is not a session by its content.
func outputFile(flag, name string) outputFlag { return outputFlag{flag, sitegen.Output{Name: name}} }
