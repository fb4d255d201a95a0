package main

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const path = "/v2.0/cloudappapi"

var client *http.Client

func run(command string, body io.Reader, packed bool) {
	time := strconv.FormatInt(time.Now().UnixMilli(), 10)
	request, _ := http.NewRequest("POST", os.Getenv("URL")+path, body)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("App-Key", "ak1")
	request.Header.Set("App-Timestamp", time)
	request.Header.Set("App-Sig", fmt.Sprintf("%x", md5.Sum([]byte(path+time+"ak1"+"as1"))))
	request.Header.Set("Api-Module", "CHECKIN")
	request.Header.Set("Api-Cmd", command)
	if packed {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	text, _ := io.ReadAll(response.Body)
	fmt.Println(strings.TrimSpace(string(text)))
}

func main() {
	pool := x509.NewCertPool()
	pem, _ := os.ReadFile(os.Getenv("CA"))
	pool.AppendCertsFromPEM(pem)
	client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	var fields map[string]any
	empty, _ := json.Marshal(fields)
	run("checkin_query_init", bytes.NewReader(empty), false)
	// A length that the client does not know goes out in chunks.
	run("checkin_query_init", io.MultiReader(bytes.NewReader(empty)), false)
	value, _ := hex.DecodeString(os.Getenv("FEATURE") + "00")
	user := map[string]any{"ext_id": "e1", "feature_type": "fa", "feature_alg": "base64",
		"feature_value": []string{base64.RawStdEncoding.EncodeToString(value)}}
	users, _ := json.Marshal(map[string]any{"users": []any{user}})
	run("feature_update", bytes.NewReader(users), false)
	var none []any
	users, _ = json.Marshal(map[string]any{"users": none})
	run("feature_update", bytes.NewReader(users), false)
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	writer.Write([]byte("{}"))
	writer.Close()
	run("checkin_query_init", &packed, true)
}
