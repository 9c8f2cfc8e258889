"""Calls the service with the client that OpenAPI Generator made for Python."""

import json
import os

import assay_client

configuration = assay_client.Configuration(host=os.environ["ASSAY_URL"], api_key={"apiKey": os.environ["ASSAY_KEY"]})
with assay_client.ApiClient(configuration) as client:
    me = assay_client.AccountApi(client).get_me()
    page = assay_client.SubmissionsApi(client).list_submissions(limit=10)
    print(
        json.dumps(
            {
                "workspaceId": str(me.workspace_id),
                "submissionIds": [str(submission.submission_id) for submission in page.submissions],
            }
        )
    )
