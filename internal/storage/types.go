package storage

import (
	"path"
	"strings"
)

var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
	".jpg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".pdf": "application/pdf",
	".parquet": "application/vnd.apache.parquet",
}

// TypeOf returns the Content-Type of a file of a site.
func TypeOf(name string) string {
	if t, ok := types[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}

// CacheOf returns how long browsers may cache a file: the names of media and assets depend on their content.
func CacheOf(name string) string {
	if strings.HasPrefix(name, "media/") || strings.HasPrefix(name, "assets/") {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}
