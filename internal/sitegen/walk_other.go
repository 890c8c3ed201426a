//go:build !linux

package sitegen

import "context"

func (w *walk) walk(ctx context.Context, dir string) error { return w.walkRoot(ctx, dir) }
