package client

//go:generate go run github.com/Khan/genqlient genqlient.yaml
