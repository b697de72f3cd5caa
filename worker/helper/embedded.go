//go:build helper

package helper

import _ "embed"

//go:embed supervisor.bin
var program []byte
