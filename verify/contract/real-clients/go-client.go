// Go's net/http. The form is written while it is sent, so its length is not known and the upload is chunked. The client
// asks for gzip and decompresses answers by itself.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var client = http.Client{Timeout: time.Minute}
var url = os.Args[1]

func main() {
	file := os.Args[2]
	body, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	go func() { writer.CloseWithError(writeForm(form, file)) }()
	var stored struct{ BlobPath string }
	call("POST", "/uploads/direct", form.FormDataContentType(), body, &stored)

	type asset struct {
		BlobPath string `json:"blobPath,omitempty"`
		AssetId  string `json:"assetId,omitempty"`
		Filename string `json:"filename,omitempty"`
	}
	var created, submission struct {
		SubmissionId string
		Assets       []asset
	}
	call("POST", "/submissions", "application/json", toJson(map[string]any{
		"assets":   []asset{{BlobPath: stored.BlobPath}},
		"metadata": map[string]string{"description": strings.Repeat("ä", 1500)},
	}), &created)
	path := "/submissions/" + created.SubmissionId
	call("GET", path, "", nil, &submission)
	call("POST", "/sandbox/events/fire", "application/json", toJson(map[string]string{
		"eventType": "asset.processing.completed", "submissionId": created.SubmissionId,
	}), nil)
	call("POST", path+"/cancel", "", nil, nil)
	call("POST", path+"/assets/"+created.Assets[0].AssetId+"/retry", "application/json", nil, nil)

	fmt.Println(submission.Assets[0].Filename)
}

func writeForm(form *multipart.Writer, file string) error {
	opened, err := os.Open(file)
	if err != nil {
		return err
	}
	defer opened.Close()
	part, err := form.CreateFormFile("file", filepath.Base(file))
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, opened); err != nil {
		return err
	}
	return form.Close()
}

func call(method, path, contentType string, body io.Reader, into any) {
	request, err := http.NewRequest(method, url+path, body)
	must(err)
	request.Header.Set("X-API-Key", os.Getenv("ASSAY_KEY"))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := client.Do(request)
	must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(err)
	if into != nil {
		must(json.Unmarshal(text, into))
	}
}

func toJson(value any) io.Reader {
	text, err := json.Marshal(value)
	must(err)
	return strings.NewReader(string(text))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
