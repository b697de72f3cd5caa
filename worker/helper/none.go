//go:build !helper

package helper

var program []byte
