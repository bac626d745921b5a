"""PDF files made by hand: lines of text and grey pictures, nothing else."""

from __future__ import annotations

WIDTH, HEIGHT = 400, 300
LOCKED = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>]" % (
    b"41" * 32,
    b"42" * 32,
)
"""A trailer's entry that no password opens: /U fits none."""


def page(*lines, pictures=(), form=None):
    """Write a page: lines from the top down; pictures (width, height); one in a scaled form."""
    shown = [f"BT /F1 10 Tf 14 TL 20 {HEIGHT - 30} Td"]
    shown += [f"({line}) Tj T*" for line in lines]
    shown += ["ET"]
    shown += [f"q {w} 0 0 {h} 0 0 cm /Im Do Q" for w, h in pictures]
    shown += [f"q {form} 0 0 {form} 0 0 cm /Fm Do Q"] if form else []
    return "\n".join(shown).encode("latin-1")


def pdf(*pages, trailer=b"", sign="FB01"):
    r"""Put pages into a file; `\001` in a line is written fi, and means `sign`."""
    kids = b" ".join(b"%d 0 R" % (10 + 2 * number) for number in range(len(pages)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding "
        b"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi] >> "
        b"/ToUnicode 6 0 R >>",
        4: _stream(
            b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "
            b"/BitsPerComponent 8",
            b"\x80",
        ),
        5: _stream(
            b"/Type /XObject /Subtype /Form /BBox [0 0 10 10] "
            b"/Resources << /XObject << /Im 4 0 R >> >>",
            b"q 10 0 0 10 0 0 cm /Im Do Q",
        ),
        6: _stream(b"", _UNICODE % sign.encode()),
    }
    for number, content in enumerate(pages):
        objects[10 + 2 * number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources "
            b"<< /Font << /F1 3 0 R >> /XObject << /Im 4 0 R /Fm 5 0 R >> >> >>"
            % (WIDTH, HEIGHT, 11 + 2 * number)
        )
        objects[11 + 2 * number] = _stream(b"", content)
    return _file(objects, trailer)


_UNICODE = b"""begincmap 1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfrange <01> <01> <%s> <20> <7E> <0020> endbfrange endcmap"""


def _stream(entries, content):
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(content), content)


def _file(objects, trailer):
    written, places = b"%PDF-1.4\n", {}
    for number in sorted(objects):
        places[number] = len(written)
        written += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    table = b"".join(b"%d 1\n%010d 00000 n \n" % item for item in sorted(places.items()))
    head = b"xref\n0 1\n0000000000 65535 f \n" + table
    root = b"trailer << /Size %d /Root 1 0 R %s >>" % (max(objects) + 1, trailer)
    return written + head + root + b"\nstartxref\n%d\n%%%%EOF\n" % len(written)
