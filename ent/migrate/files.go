package migrate

import "embed"

// Files are the versioned migrations of both dialects: sqlite/NNNN_name.sql and postgres/NNNN_name.sql. A file that was released is never edited.
//
//go:embed sqlite/*.sql postgres/*.sql
var Files embed.FS
