#!/usr/bin/env python3
"""Makes the pictures of the manual in HTML: the page of the manual's example, in a browser.

Usage: pictures.py DIR    writes DIR/page-NAME.png and prints `-D PICTURES' for makeinfo; without a browser, or if the
                          program cannot run, prints nothing
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests"))

import manual
from lib import devtools, harness

# Name, the part of the address after #, and the size of the window.
PICTURES = [("overview", "#overview", 1150, 760), ("graph", "#f=factor", 1150, 560), ("flame", "#flame", 1150, 420)]


def make_page():
    """The page of the program calc, or None."""
    place = os.path.join(harness.TEMP, "example")
    os.mkdir(place)
    manual.build(place)
    status, _, _ = harness.run([harness.GPROF, "--quiet", "--format=html", "-o", "calc.html", "calc"], place)
    return os.path.join(place, "calc.html") if status == 0 else None


def make_pictures(browser, page, directory):
    driver = devtools.Page(browser)
    try:
        for name, fragment, width, height in PICTURES:
            driver.resize(width, height)
            driver.open(page, fragment)
            driver.frames(6)
            driver.screenshot(os.path.join(directory, "page-%s.png" % name))
    finally:
        driver.close()


def main():
    browser = devtools.find_browser()
    page = make_page() if browser else None
    if page is None:
        return 0
    try:
        make_pictures(browser, page, sys.argv[1])
    except (RuntimeError, OSError) as error:
        print("pictures.py: no pictures: %s" % error, file=sys.stderr)
        return 0
    print("-D PICTURES")
    return 0


if __name__ == "__main__":
    sys.exit(main())
