"""What the document cannot express: which values are meaningful to the API, so that successes are reached too.

A share of the generated values stays as it is, and whatever breaks the document always does.
"""

import io
import itertools
import json
import os
import re
import struct
import wave
import zlib
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import jsonschema_rs
import schemathesis
from hypothesis import strategies as st

numbers = itertools.count(1)
creations = itertools.count()
known = json.loads(Path(os.environ["ASSAY_KNOWN"]).read_text())
query_characters_max = 8000
idempotency_key_characters_max = 255
key_of = dict(known["webhooks"]["keyOf"])
subscriptions_per_spare_key = 15
keys_per_manager = 100
validators = {}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Code generators refuse a link whose body contains expressions, so the document only describes such a body."""
    operations = {
        operation["operationId"]: operation for methods in raw_schema["paths"].values() for operation in methods.values()
    }
    for link in known["linkBodies"]:
        for response in operations[link["from"]]["responses"].values():
            if link["to"] in response.get("links", {}):
                response["links"][link["to"]]["requestBody"] = link["body"]


@schemathesis.hook
def before_call(context, case, kwargs):
    kwargs["auth"] = authenticate
    if case.meta is not None and case.meta.phase.name == "stateful":
        use_key_once(case.headers)
    file = case.body.get("file") if isinstance(case.body, dict) else None
    if isinstance(file, NamedFile):
        kwargs["files"] = [("file", (file.filename, bytes(file), file.content_type))]


def use_key_once(headers):
    """Each sequence deletes what it created; with a repeated key, a later sequence would get ids that are gone."""
    if headers and 1 <= len(headers.get("Idempotency-Key", "")) <= idempotency_key_characters_max:
        headers["Idempotency-Key"] = f"key {next(numbers)}"


def authenticate(request):
    """Failed keys are limited per address, which no setting changes, and hundreds of cases omit the key."""
    number = next(numbers)
    request.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if request.headers.get("X-API-Key") == known["liveKey"]:
        request.headers["X-API-Key"] = choose_key(request)
    return request


def choose_key(request):
    """Delays and fired events need a sandbox key; keys and subscriptions exist only in their own workspace."""
    url = urlsplit(request.url)
    if "simulationDelaySeconds" in parse_qs(url.query, keep_blank_values=True) or url.path.endswith("/events/fire"):
        return known["sandboxKey"]
    if request.method == "POST" and url.path.endswith("/webhooks/subscriptions"):
        spare = known["webhooks"]["spareKeys"]
        return spare[next(creations) // subscriptions_per_spare_key % len(spare)]
    managed = re.search(r"/keys(?:/([^/]+))?/?$", url.path)
    if managed:
        managers = known["keys"]["managers"]
        if request.method == "POST":
            return managers[next(creations) // keys_per_manager % len(managers)]
        return key_of.get((managed[1] or "").lower(), managers[0])
    subscription = re.search(r"/webhooks/subscriptions/([^/]+)", url.path)
    return key_of.get(subscription[1].lower(), known["liveKey"]) if subscription else known["liveKey"]


@schemathesis.hook
def after_call(context, case, response):
    """The creator of a subscription or key requests it later."""
    created = {"createSubscription": "subscriptionId", "createKey": "keyId"}
    member = created.get(case.operation.definition.raw["operationId"])
    if member and response.status_code == 201:
        key_of[response.json()[member]] = response.request.headers["X-API-Key"]


@schemathesis.check
def documented_shapes_are_accepted(context, response, case):
    """The document allows it, so it may be refused for its meaning, but not for its shape."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    problem = response.json()
    if problem["code"] != "validation_failed":
        return
    errors = [error for error in problem["errors"] if not is_beyond_schemas(error)]
    assert not errors, f"{case.operation.label} refuses what its document allows: {errors}"


def is_beyond_schemas(error):
    """Which cursors were issued, how large metadata may be, what cannot be stored, which limits of a profile contradict,
    which filters cannot be combined."""
    return error["code"] in (
        "invalid_cursor",
        "conflicting_filter",
        "custom",
        "number_out_of_range",
        "invalid_profile",
        "in_the_past",
    )


@schemathesis.hook
def map_path_parameters(context, parameters):
    pick = pick_by(parameters)
    return with_known_ids(context, parameters, pick) if uses_known_values(pick) else parameters


@schemathesis.hook
def map_query(context, query):
    pick = pick_by(query)
    query = without_conflicts(context, query, pick)
    return with_known_values(context, query, pick) if uses_known_values(pick) else query


def without_conflicts(context, query, pick):
    """A list by file name takes no filter and no cursor of another order. One case in eight keeps both."""
    others = ("status", "verdict", "profile", "clientReference", "cursor")
    if pick % 8 == 0 or not query or "filename" not in query or not any(name in query for name in others):
        return query
    if not is_documented(context, query["filename"], "filename"):
        return query
    return {name: value for name, value in query.items() if name != "filename"}


@schemathesis.hook
def map_body(context, body):
    pick = pick_by(body)
    paths = [*known["blobPaths"], known["emptyBlobPath"]]
    return with_known_files(context, body, pick, paths) if uses_known_values(pick) else body


@schemathesis.hook
def map_case(context, case):
    """Cases of the coverage phase come from no strategy, so the hooks above do not see them."""
    if case.meta is not None and case.meta.phase.name == "coverage":
        use_known_values(context, case)
    return case


@schemathesis.hook
def before_add_examples(context, examples):
    for case in examples:
        use_known_values(context, case)


def use_known_values(context, case):
    pick = next(numbers)
    case.path_parameters = with_known_ids(context, case.path_parameters, pick)
    case.query = with_known_values(context, without_conflicts(context, case.query, pick), pick)
    body = with_known_files(context, case.body, pick, known["blobPaths"])
    if body is not case.body:  # a new body is validated again, and bytes are not a string by then
        case.body = body


@schemathesis.hook
def filter_query(context, query):
    """A request line over 16 KiB is answered with 431 by the server itself, before any operation."""
    return not query or len(urlencode(query, doseq=True, errors="replace")) < query_characters_max


@schemathesis.hook
def filter_case(context, case):
    """An empty value also means no delay (§8.3): it is neither an integer nor null, but accepted."""
    return (case.query or {}).get("simulationDelaySeconds", 0) != ""


@schemathesis.hook("flatmap_body").apply_to(path="/uploads/url")
def match_type_to_name(context, body):
    if not is_documented(context, body):
        return st.just(body)
    types = accepted_types(context.operation.schema.raw_schema)
    matching = st.sampled_from(sorted(types)).flatmap(
        lambda extension: st.fixed_dictionaries(
            {
                "filename": filenames(extension),
                "contentType": st.sampled_from([types[extension], types[extension].upper(), f"{types[extension]}; a=b"]),
            }
        )
    )
    return mostly(matching.map(lambda names: {**body, **names}), body)


@schemathesis.hook("flatmap_body").apply_to(path="/uploads/direct")
def match_file_to_name(context, body):
    if not isinstance(body, dict) or body.keys() != {"file"} or not isinstance(body["file"], str):
        return st.just(body)
    types = accepted_types(context.operation.schema.raw_schema)
    matching = st.sampled_from(sorted(contents)).flatmap(
        lambda extension: st.builds(
            named_file,
            contents[extension],
            filenames(extension),
            st.sampled_from([types[extension], "application/octet-stream", None]),
        )
    )
    return mostly(matching.map(lambda file: {"file": file}), body)


@schemathesis.hook("filter_body").apply_to(path="/uploads/direct")
def drop_empty_lists(context, body):
    """A list sends one part per item: with an empty one next to the file, the body is valid."""
    return not (isinstance(body, dict) and [] in body.values())


@schemathesis.hook("flatmap_case").apply_to(operation_id=["getMe", "listSidekicks", "listProfiles", "listEventTypes"])
def add_request_id(context, case):
    """They have no input, so all their valid cases would be the same."""

    def with_id(request_id):
        case.headers = {**(case.headers or {}), "X-Request-Id": request_id}
        return case

    return st.from_regex(r"[\w.:-]{1,40}", fullmatch=True, alphabet=st.characters(codec="ascii")).map(with_id)


def pick_by(value):
    """A number derived from the generated values: another draw would cost more than all the rest."""
    return zlib.crc32(repr(value).encode(errors="replace"))


def uses_known_values(pick):
    return pick % 4 > 0


def with_known_ids(context, parameters, pick):
    """Replaces ids with those of existing resources that belong together."""
    if not parameters:
        return parameters
    once = known["once"].get(context.operation.definition.raw["operationId"])
    assets = once or [asset for asset in known["assets"] if asset["issue_ids"] or "issue_id" not in parameters]
    asset = assets[pick % len(assets)]
    issue_id = next(iter(asset.get("issue_ids", [])), None)
    subscriptions = known["webhooks"]["subscriptions"]
    subscription = subscriptions[pick % len(subscriptions)]
    profiles = known["profileIds"]
    profile = {"profile_id": profiles[pick % len(profiles)]}
    key = {"key_id": known["keys"]["keyIds"][pick % len(known["keys"]["keyIds"])]}
    ids = {**profile, **key, **subscription, **asset, "issue_id": issue_id, "sidekick_id": known["sidekickIds"][0]}
    counts = {"n": 1}  # every known issue has one still
    return {
        name: ids.get(name, value) if is_uuid(value) else counts.get(name, value) if is_count(value) else value
        for name, value in parameters.items()
    }


def is_count(value):
    """As a number, or as text in a path."""
    return not isinstance(value, bool) and re.fullmatch(r"[1-9]\d{0,2}", str(value)) is not None


def with_known_values(context, query, pick):
    """An issued cursor, and filters with results."""
    if not query:
        return query
    values = {
        "cursor": known["cursors"].get(context.operation.path),
        "ruleCode": known["ruleCodes"][pick % len(known["ruleCodes"]) :],
        "sidekickId": known["sidekickIds"],
        "channel": known["channels"][pick % len(known["channels"])],
        "with": "general",
        "revision": 1,
        "withRevision": 1,
    }
    return {
        name: values[name] if name in values and is_documented(context, value, name) else value
        for name, value in query.items()
    }


def is_documented(context, value, parameter=None):
    """Whether the document allows a JSON body or a query parameter; in a negative case it does not."""
    if parameter is None and not isinstance(value, dict):
        return False
    operation = context.operation
    key = (operation.label, parameter)
    if key not in validators:
        document = operation.schema.raw_schema
        described = document["paths"][operation.path][operation.method.lower()]
        if parameter is None:
            schema = described["requestBody"]["content"]["application/json"]["schema"]
        else:
            schema = next(one["schema"] for one in described["parameters"] if one["name"] == parameter)
        schema = {**schema, "components": document["components"]}  # to which its references lead
        validators[key] = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return validators[key].is_valid(value)


def with_known_files(context, body, pick, paths):
    path = context.operation.path
    if path == "/uploads/direct" or not is_documented(context, body):
        return body
    turned = paths[pick % len(paths) :] + paths[: pick % len(paths)]
    if path == "/submissions":
        return with_known_assets(body, pick, turned)
    if path.startswith("/profiles"):
        return with_known_rules(body, pick)
    # An upload in parts that was begun cannot be completed, so it is begun without a file and completed with one.
    values = {
        "/uploads/renew": {"blobPath": turned[0]},
        "/uploads/parts": {"blobPath": known["emptyBlobPath"]},
        "/uploads/parts/complete": {"blobPath": known["blobPaths"][pick % len(known["blobPaths"])]},
        "/realtime/tickets": {"channel": known["channels"][pick % len(known["channels"])]},
        "/sandbox/events/fire": {"submissionId": known["submissionIds"][pick % len(known["submissionIds"])]},
    }.get(path, {})
    if path.startswith("/webhooks/subscriptions") and "url" in body:
        values = {"url": f'{known["webhooks"]["receiverUrl"]}/{pick}'}
    return {**body, **values}


def with_known_assets(body, pick, paths):
    """The same number of assets, each with another file of the workspace, at most one of which is a new version."""
    assets = [{**asset, "blobPath": path} for asset, path in zip(body["assets"], paths)]
    continuing = [asset for asset in assets if asset.get("previousSubmissionId") is not None]
    for asset in continuing[:1]:
        choices = [*known["submissionIds"], asset["previousSubmissionId"]]
        asset["previousSubmissionId"] = choices[pick % len(choices)]
    for asset in continuing[1:]:
        del asset["previousSubmissionId"]
    sidekicks = {"sidekickIds": (known["sidekickIds"] * len(body["sidekickIds"]))[:100]} if body.get("sidekickIds") else {}
    return {**body, "assets": assets, **sidekicks}


def with_known_rules(profile, pick):
    """A name that is not taken, a profile that exists, and a rule that does."""
    values = {
        "name": f"profile-{next(numbers)}",
        "extends": {"profile": "general"},
        "rules": [{"ruleCode": known["ruleCodes"][pick % len(known["ruleCodes"])], "severity": "MINOR"}],
    }
    return {name: value if value is None else values.get(name, value) for name, value in profile.items()}


def is_uuid(value):
    return isinstance(value, str) and re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value)


def mostly(meaningful, body):
    return st.sampled_from([meaningful, meaningful, meaningful, st.just(body)]).flatmap(lambda strategy: strategy)


def accepted_types(document):
    """Extension to content type, from the table in the introduction of the served document."""
    rows = re.findall(r"^\| ([\w, ]+) \| `(\S+)` \|$", document["info"]["description"], re.MULTILINE)
    return {extension: content_type for extensions, content_type in rows for extension in extensions.split(", ")}


def filenames(extension):
    stems = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="/\\."), min_size=1, max_size=40)
    return st.builds("{}.{}".format, stems, st.sampled_from([extension, extension.upper()]))


class NamedFile(bytes):
    """Bytes of a file part, with the part's name and type."""


def named_file(content, filename, content_type):
    file = NamedFile(content)
    file.filename = filename
    file.content_type = content_type
    return file


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(width + 1) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def wav(samples):
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((1, 1, 8000, 0, "NONE", None))
        writer.writeframes(samples)
    return file.getvalue()


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200).map(str.encode)
contents = {
    "txt": texts,
    "vtt": texts.map(lambda text: b"WEBVTT\n\n" + text),
    "srt": texts.map(lambda text: b"1\n00:00:00,000 --> 00:00:01,000\n" + text),
    "pdf": texts.map(lambda text: b"%PDF-1.4\n% " + text),
    "png": st.builds(png, st.integers(1, 99), st.integers(1, 99)),
    "gif": st.just(b"GIF89a\1\0\1\0\0\0\0;"),
    "wav": st.binary(max_size=200).map(wav),
}
