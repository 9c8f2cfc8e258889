"""Calls the service with the client that openapi-python-client made."""

import json
import os

from assay_client import AuthenticatedClient
from assay_client.api.account import get_me
from assay_client.api.submissions import list_submissions

client = AuthenticatedClient(
    base_url=os.environ["ASSAY_URL"],
    token=os.environ["ASSAY_KEY"],
    auth_header_name="X-API-Key",
    prefix="",
    raise_on_unexpected_status=True,
)
with client:
    me = get_me.sync(client=client)
    page = list_submissions.sync(client=client, limit=10)
    print(
        json.dumps(
            {
                "workspaceId": str(me.workspace_id),
                "submissionIds": [str(submission.submission_id) for submission in page.submissions],
            }
        )
    )
