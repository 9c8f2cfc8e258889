"""Python httpx: `files=`, which adds a type by the file's extension, `json=`, and `post` without a body."""

import json
import os
import sys

import httpx

url, file = sys.argv[1:]
headers = {"X-API-Key": os.environ["ASSAY_KEY"]}

with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
    with open(file, "rb") as opened:
        upload = client.post("/uploads/direct", files={"file": opened})
    asset = {"blobPath": upload.json()["blobPath"]}
    submission = {"assets": [asset], "metadata": {"description": "ä" * 1500}}
    submit = client.post("/submissions", json=submission)
    submission_id = submit.json()["submissionId"]
    asset_id = submit.json()["assets"][0]["assetId"]
    read = client.get(f"/submissions/{submission_id}")
    event = {"eventType": "asset.processing.completed", "submissionId": submission_id}
    fire = client.post("/sandbox/events/fire", json=event)
    cancel = client.post(f"/submissions/{submission_id}/cancel", content="")
    retry = client.post(f"/submissions/{submission_id}/assets/{asset_id}/retry")

print(
    json.dumps(
        {
            "submissionId": submission_id,
            "filename": read.json()["assets"][0]["filename"],
            "upload": upload.status_code,
            "submit": submit.status_code,
            "read": read.status_code,
            "fire": fire.status_code,
            "cancel": cancel.status_code,
            "retry": retry.status_code,
        }
    )
)
