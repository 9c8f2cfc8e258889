"""What the document cannot say: which values mean something to the API, so that its successes are reached too.

A share of the generated values stays as it is, and whatever breaks the document always does.
"""

import io
import itertools
import re
import struct
import wave
import zlib

import schemathesis
from hypothesis import strategies as st

numbers = itertools.count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    kwargs["auth"] = come_from_own_address
    file = case.body.get("file") if isinstance(case.body, dict) else None
    if isinstance(file, NamedFile):
        kwargs["files"] = [("file", (file.filename, bytes(file), file.content_type))]


def come_from_own_address(request):
    """Failed keys are limited per address, and no setting lifts that: hundreds of cases leave the key out."""
    number = next(numbers)
    request.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return request


@schemathesis.hook("flatmap_body").apply_to(path="/uploads/url")
def let_name_and_type_agree(context, body):
    if not has_members(body, filename=str, contentType=str) or body["filename"] == "":
        return st.just(body)
    types = accepted_types(context.operation.schema.raw_schema)
    agreeing = st.sampled_from(sorted(types)).flatmap(
        lambda extension: st.fixed_dictionaries(
            {
                "filename": filenames(extension),
                "contentType": st.sampled_from([types[extension], types[extension].upper(), f"{types[extension]}; a=b"]),
            }
        )
    )
    return mostly(agreeing, body)


@schemathesis.hook("flatmap_body").apply_to(path="/uploads/direct")
def let_file_be_what_it_says(context, body):
    if not has_members(body, file=str):
        return st.just(body)
    types = accepted_types(context.operation.schema.raw_schema)
    honest = st.sampled_from(sorted(contents)).flatmap(
        lambda extension: st.builds(
            named_file,
            contents[extension],
            filenames(extension),
            st.sampled_from([types[extension], "application/octet-stream", None]),
        )
    )
    return mostly(honest.map(lambda file: {"file": file}), body)


@schemathesis.hook("filter_body").apply_to(path="/uploads/direct")
def drop_empty_lists(context, body):
    """A list sends one part per item: with an empty one beside the file, what arrives is a good body."""
    return not (isinstance(body, dict) and [] in body.values())


@schemathesis.hook("flatmap_case").apply_to(path="/me")
def add_unknown_query(context, case):
    """It takes nothing, so all its good cases would be one and the same; what it does not know it must ignore."""

    def with_query(query):
        case.query = query
        return case

    return st.dictionaries(st.text(min_size=1), st.text()).map(with_query)


def has_members(body, **types):
    """Whether the body has the documented shape; in a case that is meant to break it, it has not."""
    return (
        isinstance(body, dict)
        and body.keys() == types.keys()
        and all(isinstance(body[name], kind) for name, kind in types.items())
    )


def mostly(meaningful, body):
    return st.sampled_from([meaningful, meaningful, meaningful, st.just(body)]).flatmap(lambda strategy: strategy)


def accepted_types(document):
    """Extension to content type, read from the table in the introduction of the served document."""
    rows = re.findall(r"^\| ([\w, ]+) \| `(\S+)` \|$", document["info"]["description"], re.MULTILINE)
    return {extension: content_type for extensions, content_type in rows for extension in extensions.split(", ")}


def filenames(extension):
    stems = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="/\\."), min_size=1, max_size=40)
    return st.builds("{}.{}".format, stems, st.sampled_from([extension, extension.upper()]))


class NamedFile(bytes):
    """Bytes of a file part, with the name and the type that the part carries."""


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
