//go:build !linux

package sitegen

import "context"

func (w *walk) folders(ctx context.Context, dir string) error { return w.slowly(ctx, dir) }
