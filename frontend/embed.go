// Package frontend is the web app, built by `npm run build` and carried inside the binary.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Dist is the built app. Before the first build it holds only placeholder.html.
func Dist() fs.FS {
	sub, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}
