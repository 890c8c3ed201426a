package store

import (
	"sync"

	"viewer/internal/archive"
)

// A frameCache keeps frames that were unpacked last, because a frame may have many small files.
type frameCache struct {
	mu     sync.Mutex
	frames map[*archive.Frame]*cachedFrame
	order  []*archive.Frame // the oldest first
}

type cachedFrame struct {
	once sync.Once
	data []byte
	err  error
}

// maxCached is how many frames are kept. Each has archive.FrameSize bytes at most, and more of them would make the
// garbage collector run much more often under the memory limit of a build.
const maxCached = 2

// get returns the content of a frame. It unpacks the frame if it is not in the cache.
func (c *frameCache) get(f *archive.Frame, unpack func() ([]byte, error)) ([]byte, error) {
	c.mu.Lock()
	kept := c.frames[f]
	if kept == nil {
		kept = new(cachedFrame)
		if c.frames == nil {
			c.frames = make(map[*archive.Frame]*cachedFrame)
		}
		c.frames[f] = kept
		if c.order = append(c.order, f); len(c.order) > maxCached {
			delete(c.frames, c.order[0])
			c.order = c.order[1:]
		}
	}
	c.mu.Unlock()
	kept.once.Do(func() { kept.data, kept.err = unpack() })
	if kept.err != nil { // the next read may succeed
		c.mu.Lock()
		if c.frames[f] == kept {
			c.frames[f] = new(cachedFrame)
		}
		c.mu.Unlock()
	}
	return kept.data, kept.err
}
