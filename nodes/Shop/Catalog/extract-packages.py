#!/usr/bin/env python3
"""Makes packages.br from a Debian package index.

usage: extract-packages.py INDEX packages.br

INDEX is the plain text of a `Packages` index of one section and architecture. On a Debian machine, after
`apt-get update`, the index lies compressed under /var/lib/apt/lists; `/usr/lib/apt/apt-helper cat-file FILE`
prints it. Needs the `brotli` command. The layout of the output is described in README.md beside this script.
"""

import re
import subprocess
import sys

HARD_DEPENDENCY_FIELDS = ("Pre-Depends", "Depends")


def stanzas(text):
    """Yields the fields of each package; continuation lines belong to fields that are not kept."""
    for block in text.split("\n\n"):
        fields = {}
        for line in block.split("\n"):
            if line and not line[0].isspace():
                name, _, value = line.partition(":")
                fields[name] = value.strip()
        if "Package" in fields:
            yield fields


def bare_name(reference):
    """The package name without version constraint, architecture qualifier and build profile."""
    return re.split(r"[ (:\[<]", reference.strip(), maxsplit=1)[0]


def bare_names(value, separator):
    """The names in a separated list, each once, in their order."""
    return list(dict.fromkeys(bare_name(part) for part in value.split(separator) if part.strip()))


def dependencies(fields):
    """One entry per requirement; alternatives are joined by a bar, the preferred one first."""
    joined = ", ".join(fields[name] for name in HARD_DEPENDENCY_FIELDS if name in fields)
    requirements = ("|".join(bare_names(part, "|")) for part in joined.split(",") if part.strip())
    return list(dict.fromkeys(requirements))


def row(fields):
    return "\t".join((
        fields["Package"],
        fields["Version"],
        fields["Section"],
        fields.get("Installed-Size", "0"),
        ",".join(dependencies(fields)),
        ",".join(sorted(bare_names(fields.get("Provides", ""), ","))),
    ))


def main(index_path, output_path):
    with open(index_path, encoding="utf-8") as index:
        # A name that occurs twice is listed in ascending order of versions: the last one wins.
        newest = {fields["Package"]: fields for fields in stanzas(index.read())}
    rows = [row(newest[name]) for name in sorted(newest)]
    plain = ("\n".join(rows) + "\n").encode("utf-8")
    command = ["brotli", "--quality=11", "--lgwin=24", "--force", f"--output={output_path}", "-"]
    subprocess.run(command, input=plain, check=True)
    print(f"{len(rows)} packages, {len(plain)} bytes before compression")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
