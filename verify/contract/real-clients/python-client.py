"""Python requests and httpx: `files=`, to which httpx adds a type by the file's extension, `json=`, and no body."""

import os
import sys

library, url, file = sys.argv[1:]

if library == "requests":
    import requests

    client = requests.Session()
    empty_text = {"data": ""}
else:
    import httpx

    client = httpx.Client()
    empty_text = {"content": ""}
client.headers["X-API-Key"] = os.environ["ASSAY_KEY"]

with open(file, "rb") as opened:
    upload = client.post(f"{url}/uploads/direct", files={"file": opened}, timeout=60)
asset = {"blobPath": upload.json()["blobPath"]}
submission = {"assets": [asset], "metadata": {"description": "ä" * 1500}}
submit = client.post(f"{url}/submissions", json=submission, timeout=60)
submission_id = submit.json()["submissionId"]
asset_id = submit.json()["assets"][0]["assetId"]
read = client.get(f"{url}/submissions/{submission_id}", timeout=60)
event = {"eventType": "asset.processing.completed", "submissionId": submission_id}
client.post(f"{url}/sandbox/events/fire", json=event, timeout=60)
client.post(f"{url}/submissions/{submission_id}/cancel", **empty_text, timeout=60)
client.post(f"{url}/submissions/{submission_id}/assets/{asset_id}/retry", timeout=60)

print(read.json()["assets"][0]["filename"])
