package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

type asset struct {
	plain, zipped []byte
	kind, etag    string
}

// Pages serves the web app from memory, compressed once at the start. Every path that is no file is the app itself.
func Pages(files fs.FS, base string) (http.Handler, error) {
	assets := map[string]asset{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if name == "index.html" || name == "graphiql.html" {
			b = bytes.Replace(b, []byte(`<base href="/">`), []byte(`<base href="`+html.EscapeString(base+"/")+`">`), 1)
			b = bytes.Replace(b, []byte(`<base href="/" />`), []byte(`<base href="`+html.EscapeString(base+"/")+`" />`), 1)
		}
		assets[name] = pack(name, b)
		return nil
	})
	if err != nil {
		return nil, err
	}
	index, built := assets["index.html"]
	if !built {
		index = assets["placeholder.html"]
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		a, found := assets[name]
		switch {
		case found && strings.HasPrefix(name, "assets/"):
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		case strings.HasPrefix(name, "assets/"): // of another version: never the app in place of a script
			http.NotFound(w, r)
			return
		case name == "graphiql" && assets["graphiql.html"].plain != nil:
			a = assets["graphiql.html"]
			w.Header().Set("Cache-Control", "no-cache")
		case !found || name == "index.html":
			a = index
			w.Header().Set("Cache-Control", "no-cache")
		default:
			w.Header().Set("Cache-Control", "no-cache")
		}
		serve(w, r, a)
	}), nil
}

func pack(name string, b []byte) asset {
	h := sha256.Sum256(b)
	a := asset{plain: b, etag: `"` + hex.EncodeToString(h[:12]) + `"`, kind: mime.TypeByExtension(path.Ext(name))}
	if a.kind == "" {
		a.kind = "application/octet-stream"
	}
	if strings.HasPrefix(a.kind, "text/") || strings.Contains(a.kind, "javascript") || strings.Contains(a.kind, "json") || strings.Contains(a.kind, "svg") {
		var z bytes.Buffer
		w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
		w.Write(b)
		w.Close()
		if z.Len() < len(b) {
			a.zipped = z.Bytes()
		}
	}
	return a
}

func serve(w http.ResponseWriter, r *http.Request, a asset) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("ETag", a.etag)
	h.Set("Vary", "Accept-Encoding")
	if strings.HasPrefix(a.kind, "text/html") {
		h.Set("Content-Security-Policy", policy)
	}
	if r.Header.Get("If-None-Match") == a.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := a.plain
	if a.zipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = a.zipped
	}
	if r.Method == http.MethodHead {
		return
	}
	w.Write(body)
}
