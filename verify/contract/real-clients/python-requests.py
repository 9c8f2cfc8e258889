"""Python requests: `files=`, `json=`, and `post` without a body."""

import json
import os
import sys

import requests

url, file = sys.argv[1:]
session = requests.Session()
session.headers["X-API-Key"] = os.environ["ASSAY_KEY"]

with open(file, "rb") as opened:
    upload = session.post(f"{url}/uploads/direct", files={"file": opened}, timeout=60)
asset = {"blobPath": upload.json()["blobPath"]}
submission = {"assets": [asset], "metadata": {"description": "ä" * 1500}}
submit = session.post(f"{url}/submissions", json=submission, timeout=60)
submission_id = submit.json()["submissionId"]
asset_id = submit.json()["assets"][0]["assetId"]
read = session.get(f"{url}/submissions/{submission_id}", timeout=60)
event = {"eventType": "asset.processing.completed", "submissionId": submission_id}
fire = session.post(f"{url}/sandbox/events/fire", json=event, timeout=60)
cancel = session.post(f"{url}/submissions/{submission_id}/cancel", data="", timeout=60)
retry = session.post(f"{url}/submissions/{submission_id}/assets/{asset_id}/retry", timeout=60)

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
