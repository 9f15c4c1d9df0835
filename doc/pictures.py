#!/usr/bin/env python3
"""Makes pictures of the page (--format=html) in a browser, chromium without a window.

Usage: pictures.py DIR            for the manual in HTML: writes DIR/page-NAME.png, of the manual's example, and prints
                                  `-D PICTURES' for makeinfo; without a browser, or if the program cannot run, nothing
       pictures.py --readme FILE  for README.md: writes FILE, the overview of examples/sheet with call stacks, which it
                                  runs under regmon; `make update-picture' does so for doc/overview.png
"""

import glob
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests"))

import manual
from lib import devtools, harness

# Name, the part of the address after #, and the size of the window.
PICTURES = [("overview", "#overview", 1150, 760), ("graph", "#f=factor", 1150, 740), ("flame", "#flame", 1150, 420)]


def make_page():
    """The page of the program calc, or None."""
    place = os.path.join(harness.TEMP, "example")
    os.mkdir(place)
    manual.build(place)
    status, _, _ = harness.run([harness.GPROF, "--quiet", "--format=html", "-o", "calc.html", "calc"], place)
    return os.path.join(place, "calc.html") if status == 0 else None


def make_page_of_sheet():
    """The page of examples/sheet, whose stacks regmon records."""
    place = os.path.join(harness.TEMP, "sheet")
    os.mkdir(place)
    sources = glob.glob(os.path.join(harness.SRCDIR, "examples", "sheet", "*.c"))
    harness.must_run(["gcc", "-O1", "-g", "-fno-inline", "-pg", "-o", "sheet"] + sources, place)
    harness.must_run([os.path.join(harness.BUILDDIR, "runtime", "regmon"), "-r", "1000", "-S", "./sheet"], place)
    harness.must_run([harness.GPROF, "--quiet", "--format=html", "--stacks", "-o", "sheet.html", "sheet"], place)
    return os.path.join(place, "sheet.html")


def make_pictures(browser, page, pictures):
    """PICTURES are (path, part of the address after #, width, height)."""
    driver = devtools.Page(browser)
    try:
        for path, fragment, width, height in pictures:
            driver.resize(width, height)
            driver.open(page, fragment)
            driver.frames(6)
            driver.screenshot(path)
    finally:
        driver.close()


def main():
    if sys.argv[1] == "--readme":
        make_pictures(devtools.find_browser(), make_page_of_sheet(), [(sys.argv[2], "#overview", 1150, 560)])
        return 0
    browser = devtools.find_browser()
    page = make_page() if browser else None
    if page is None:
        return 0
    try:
        make_pictures(browser, page, [(os.path.join(sys.argv[1], "page-%s.png" % name), *rest) for name, *rest in PICTURES])
    except (RuntimeError, OSError) as error:
        print("pictures.py: no pictures: %s" % error, file=sys.stderr)
        return 0
    print("-D PICTURES")
    return 0


if __name__ == "__main__":
    sys.exit(main())
