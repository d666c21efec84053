#!/usr/bin/env bash
# Who meets it: a service in Go that adds the header `Idempotency-Key` to its POST requests, as APIs of payments and of
#   jobs ask for it, while the server closes kept connections, in a deployment for example.
# Most expect: net/http repeats a POST never by itself, as it does for GET; a header chosen by the caller changes nothing.
# Seen: a POST whose kept connection ends without a byte of a response is sent again at once, and the caller sees no
#   error. Without the header the caller gets the error. A server that ignores the header carries it out twice.
# Source: a sentence in the documentation of net/http's Transport, which names `Idempotency-Key` and `X-Idempotency-Key`.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
command -v go > /dev/null || apt-get install -qy --no-install-recommends golang-go > /dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOCACHE="$folder/cache" GOFLAGS=-mod=mod
cat > main.go <<'GO'
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
)

// The first POST to /pay ends its connection without a response.
func post(header string) (calls int32, err error) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/pay" && atomic.AddInt32(&calls, 1) == 1 {
			connection, _, _ := w.(http.Hijacker).Hijack()
			connection.Close()
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{}}
	warm, err := client.Get(server.URL + "/")
	if err != nil {
		return calls, err
	}
	warm.Body.Close()
	request, _ := http.NewRequest("POST", server.URL+"/pay", strings.NewReader("amount=1"))
	if header != "" {
		request.Header.Set(header, "k1")
	}
	_, err = client.Do(request)
	return calls, err
}

func main() {
	plain, lost := post("")
	keyed, none := post("Idempotency-Key")
	fmt.Println("expected: one POST and an error, with the header as without it")
	fmt.Printf("without the header: %d POST, error: %v\n", plain, lost != nil)
	fmt.Printf("with Idempotency-Key: %d POST, error: %v\n", keyed, none != nil)
	if plain != 1 || lost == nil || keyed != 2 || none != nil {
		os.Exit(1)
	}
}
GO
go version
go run main.go
