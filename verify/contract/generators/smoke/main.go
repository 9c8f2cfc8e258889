// Calls the service with the client that OpenAPI Generator made for Go.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	assay "example.com/assay/client"
)

func main() {
	configuration := assay.NewConfiguration()
	configuration.Servers = assay.ServerConfigurations{{URL: os.Getenv("ASSAY_URL")}}
	client := assay.NewAPIClient(configuration)
	keys := map[string]assay.APIKey{"apiKey": {Key: os.Getenv("ASSAY_KEY")}}
	ctx := context.WithValue(context.Background(), assay.ContextAPIKeys, keys)

	me, _, err := client.AccountAPI.GetMe(ctx).Execute()
	must(err)
	page, _, err := client.SubmissionsAPI.ListSubmissions(ctx).Limit(10).Execute()
	must(err)
	ids := []string{}
	for _, submission := range page.Submissions {
		ids = append(ids, submission.SubmissionId)
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"workspaceId": me.WorkspaceId, "submissionIds": ids}))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
