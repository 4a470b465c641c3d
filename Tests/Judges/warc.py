"""Reads the index and the records of a WACZ without a library for web archives."""
import dataclasses
import json
import os
import zlib


@dataclasses.dataclass
class Record:
    """A record: the place of its gzip member, its fields and its block."""

    offset: int
    length: int
    fields: dict
    block: bytes

    @property
    def kind(self):
        return self.fields["WARC-Type"]

    @property
    def payload(self):
        """The body of an answer, or the whole block of another record."""
        return self.block.partition(b"\r\n\r\n")[2] if self.kind == "response" else self.block

    @property
    def head(self):
        return self.block.partition(b"\r\n\r\n")[0].decode("latin-1")


def parse(offset, length, text):
    head, _, rest = text.partition(b"\r\n\r\n")
    first, *lines = head.decode("utf-8").split("\r\n")
    assert first == "WARC/1.1", first
    fields = dict(line.split(": ", 1) for line in lines)
    assert len(fields) == len(lines), head
    size = int(fields["Content-Length"])
    assert rest[size:] == b"\r\n\r\n", f"the record at {offset} has {len(rest)} bytes for {size}"
    return Record(offset, length, fields, rest[:size])


def member(data, offset):
    """The text of the gzip member that begins at an offset, and its length."""
    reader, text, place = zlib.decompressobj(31), [], offset
    while not reader.eof:
        # In pieces, because the reader copies the rest of each piece.
        piece = data[place : place + 65536]
        assert piece, f"the member at {offset} has no end"
        text.append(reader.decompress(piece))
        place += len(piece)
    return b"".join(text), place - len(reader.unused_data) - offset


def records(package):
    """All records, in the order of the file."""
    with open(os.path.join(package.unzipped(), "archive", "data.warc.gz"), "rb") as file:
        data = file.read()
    found, offset = [], 0
    while offset < len(data):
        text, length = member(data, offset)
        found.append(parse(offset, length, text))
        offset += length
    return found


def index(package):
    """The index's lines: key, time, facts."""
    with open(os.path.join(package.unzipped(), "indexes", "index.cdx"), encoding="utf-8") as file:
        return [(key, time, json.loads(facts)) for key, time, facts in (line.split(" ", 2) for line in file)]
