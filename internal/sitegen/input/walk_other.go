//go:build !linux

package input

import "context"

func (w *walk) walk(ctx context.Context, dir string) error { return w.walkRoot(ctx, dir) }
