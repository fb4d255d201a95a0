package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

var client http.Client

func ask(request *http.Request) map[string]any {
	answer, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	bytes, _ := io.ReadAll(answer.Body)
	fmt.Println(strings.TrimSpace(string(bytes)))
	var said map[string]any
	json.Unmarshal(bytes, &said)
	return said
}

// A form, as Go's own OAuth library sends it.
func token(values url.Values) map[string]any {
	values.Set("client_id", "portal")
	values.Set("client_secret", "s3cret of the portal")
	request, _ := http.NewRequest("POST", os.Getenv("URL")+"/oauth/token", strings.NewReader(values.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return ask(request)
}

func user(token map[string]any) {
	request, _ := http.NewRequest("GET", os.Getenv("URL")+"/api/getUserInfo", nil)
	request.Header.Set("Authorization", "Bearer "+token["access_token"].(string))
	ask(request)
}

func main() {
	pem, _ := os.ReadFile(os.Getenv("CA"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	tokens := token(url.Values{"grant_type": {"authorization_code"}, "code": {os.Getenv("CODE")}})
	user(tokens)
	later := token(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {tokens["refresh_token"].(string)}})
	user(later)
}
