#!/usr/bin/env bash
# curl: `-F` for the file, `--json` and a bare `-d` for JSON, `-X POST` and `-d ''` for no body, `--compressed` to read.
set -euo pipefail
url=$1 file=$2
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# call <path> [options]: the body of the response is in $answer.
call() {
  local path=$1; shift
  curl --silent --show-error --max-time 60 --header "X-API-Key: $ASSAY_KEY" \
    --output "$answer" "$@" "$url$path"
}
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$answer"; }

call /uploads/direct -F "file=@\"$file\"" # quoted: `;` in a name would end it
blob_path=$(member blobPath)
description=$(printf 'ä%.0s' {1..1500})
assets="[{\"blobPath\":\"$blob_path\"}]"
call /submissions --json "{\"assets\":$assets,\"metadata\":{\"description\":\"$description\"}}"
submission_id=$(member submissionId)
asset_id=$(member assetId)
call "/submissions/$submission_id" --compressed
member filename
event="{\"eventType\":\"asset.processing.completed\",\"submissionId\":\"$submission_id\"}"
call /sandbox/events/fire -d "$event"
call "/submissions/$submission_id/cancel" -X POST
call "/submissions/$submission_id/assets/$asset_id/retry" -d ''
