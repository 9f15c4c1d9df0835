"""Drives a browser (chromium, headless) over the DevTools protocol, with Python's standard library
alone."""

import base64
import json
import os
import secrets
import shutil
import socket
import struct
import subprocess
import tempfile
import time

from lib import harness

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")
TIMEOUT = 60  # seconds for one reply


def find_browser():
    """The path of a browser, or None.  CHROMIUM in the environment names another one."""
    for name in [os.environ.get("CHROMIUM", "")] + list(NAMES):
        path = shutil.which(name) if name else None
        if path:
            return path
    return None


class WebSocket:
    """The client's end of a WebSocket (RFC 6455), with text messages only."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), TIMEOUT)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [
            "GET %s HTTP/1.1" % path,
            "Host: %s:%d" % (host, port),
            "Upgrade: websocket",
            "Connection: Upgrade",
        ]
        lines += ["Sec-WebSocket-Key: " + key, "Sec-WebSocket-Version: 13", "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            self.data += self._receive()
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError("no WebSocket: %r" % head)

    def _receive(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise RuntimeError("the browser closed the connection")
        return piece

    def _take(self, size):
        while len(self.data) < size:
            self.data += self._receive()
        taken, self.data = self.data[:size], self.data[size:]
        return taken

    def send(self, text):
        payload, mask = text.encode(), secrets.token_bytes(4)
        size = len(payload)
        form = (
            (">BB", 0x81, 0x80 | size)
            if size < 126
            else (">BBH", 0x81, 0xFE, size) if size < 65536 else (">BBQ", 0x81, 0xFF, size)
        )
        whole = int.from_bytes(payload, "big") ^ int.from_bytes(
            (mask * (size // 4 + 1))[:size], "big"
        )
        self.socket.sendall(struct.pack(*form) + mask + whole.to_bytes(size, "big"))

    def receive(self):
        """The next text message."""
        message = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size >= 126:
                size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
            payload = self._take(size)
            if first & 0x0F == 8:
                raise RuntimeError("the browser closed the WebSocket")
            if first & 0x0F in (0, 1):
                message += payload
                if first & 0x80:
                    return message.decode()

    def close(self):
        self.socket.close()


class Failure(Exception):
    """What the script of the page threw."""


class Page:
    """A browser with one page.  `said' has the errors and warnings of its console."""

    def __init__(self, browser, width=1280, height=800):
        self.directory = tempfile.mkdtemp(dir=harness.TEMP)
        self.log = open(os.path.join(self.directory, "log"), "wb")
        options = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ]
        options += [
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--hide-scrollbars",
        ]
        options += [
            "--remote-debugging-port=0",
            "--user-data-dir=" + self.directory,
            "--window-size=%d,%d" % (width, height),
        ]
        environment = dict(harness.ENV, HOME=self.directory)
        self.process = subprocess.Popen(
            [browser] + options + ["about:blank"], env=environment, stdout=self.log, stderr=self.log
        )
        self.number = self.opened = 0
        self.said, self.requests, self.events = [], [], []
        port, path = self._wait_for_port()
        self.browser = WebSocket("127.0.0.1", port, path)
        target = next(
            t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"
        )["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Performance.enable", timeDomain="threadTicks")
        self.resize(width, height)

    def _wait_for_port(self):
        path = os.path.join(self.directory, "DevToolsActivePort")
        for _ in range(TIMEOUT * 20):
            if self.process.poll() is not None:
                break
            lines = harness.read(path).decode().splitlines()
            if len(lines) == 2:
                return int(lines[0]), lines[1]
            time.sleep(0.05)
        raise RuntimeError(
            "the browser does not start:\n"
            + harness.read(self.log.name).decode(errors="replace")[-2000:]
        )

    session = None

    def call(self, method, **parameters):
        """The result of a command; events that arrive meanwhile are noted."""
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.browser.send(json.dumps(message))
        while True:
            reply = json.loads(self.browser.receive())
            if reply.get("id") == number:
                if "error" in reply:
                    raise RuntimeError("%s: %s" % (method, reply["error"]))
                return reply["result"]
            self._note(reply)

    def _note(self, event):
        method, parameters = event.get("method", ""), event.get("params", {})
        self.events.append(method)
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.said.append(
                "exception: " + details.get("exception", {}).get("description", details["text"])
            )
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in (
            "error",
            "warning",
            "assert",
        ):
            self.said.append("%s: %s" % (parameters["type"], parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.said.append("%(level)s: %(text)s" % parameters["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def evaluate(self, expression):
        """The value of an expression of JavaScript, which may be a promise."""
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in result:
            raise Failure(
                result["exceptionDetails"].get("exception", {}).get("description", "")
                or result["exceptionDetails"]["text"]
            )
        return result["result"].get("value")

    def wait(self, condition, seconds=30):
        """Waits until an expression is true; false if it does not become true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.evaluate("Boolean(%s)" % condition):
                return True
            time.sleep(0.02)
        return False

    def open(self, path, fragment=""):
        """Loads a file; returns the seconds until it is loaded and drawn once."""
        self.opened += 1
        query = "?%d" % self.opened  # with another fragment alone, it would not be loaded again
        start = time.monotonic()
        self.call("Page.navigate", url="file://" + path + query + fragment)
        self.wait(
            "location.search === '%s' && document.readyState === 'complete' &&"
            " document.querySelector('main')" % query
        )
        self.frames()
        return time.monotonic() - start

    def frames(self, count=2):
        """Waits until the page was drawn."""
        self.evaluate(
            "new Promise((done) => { let n = %d; const next = () => (n-- > 0 ?"
            " requestAnimationFrame(next) : done()); next(); })" % count
        )

    def busy_seconds(self):
        """Processor time of the page's main thread so far."""
        metrics = {
            metric["name"]: metric["value"]
            for metric in self.call("Performance.getMetrics")["metrics"]
        }
        return metrics["TaskDuration"]

    def resize(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def media(self, media="", **features):
        """Sets the medium (print) and its features (prefers_color_scheme="dark")."""
        listed = [
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()
        ]
        self.call("Emulation.setEmulatedMedia", media=media, features=listed)

    def click(self, selector):
        """Clicks with the mouse at the middle of the first element that SELECTOR finds."""
        script = (
            "(() => { const e = document.querySelector(%s); if (!e) return null;"
            " e.scrollIntoView({block: 'center'});"
        )
        script += (
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y +"
            " Math.min(b.height / 2, 400)]; })()"
        )
        place = self.evaluate(script % json.dumps(selector))
        if place is None:
            raise Failure("nothing to click: " + selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="left",
                clickCount=1,
            )
        self.frames()

    CODES = {
        "Enter": 13,
        "Escape": 27,
        "Tab": 9,
        "ArrowDown": 40,
        "ArrowUp": 38,
        "ArrowLeft": 37,
        "ArrowRight": 39,
    }
    CODES.update({"PageDown": 34, "PageUp": 33, "Home": 36, "End": 35, " ": 32, "/": 191})

    def press(self, key, modifiers=0):
        """Presses a key: its name, or one character."""
        code = self.CODES.get(key, ord(key[0].upper()))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        event = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call(
            "Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **event
        )
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)
        self.frames(1)

    def type(self, text):
        for character in text:
            self.press(character)

    def screenshot(self, path, is_whole=False):
        """Writes a picture (PNG) of the window, or of the whole page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)[
            "data"
        ]
        harness.write(path, base64.b64decode(data))

    def pdf(self):
        """The page printed."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            self.process.kill()
        self.browser.close()
        self.process.wait(TIMEOUT)
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)
