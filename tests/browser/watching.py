"""Pages that note what goes wrong in them: errors, refusals by the content policy, dialogs that text opened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page

from tests.browser.server import Server
from tests.browser.world import World

Scheme = Literal["light", "dark"]
WIDE, PHONE = (1440, 900), (390, 844)
TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`content policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""
STATUS = re.compile(r"(?:the server responded with a status of|Response Status Error Code) (\d{3})")


@dataclass
class Watch:
    """What went wrong so far; `expected` are the statuses of answers that a test asks for on purpose."""

    troubles: list[str] = field(default_factory=list)
    expected: set[int] = field(default_factory=set)

    def follow(self, page: Page) -> Page:
        """Note whatever goes wrong in the page from now on."""
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.troubles.append(f"{page.url}: {error}"))
        page.on("dialog", self._on_dialog)
        return page

    def _on_console(self, message: ConsoleMessage) -> None:
        status = STATUS.search(message.text)
        if message.type in {"error", "warning"} and not (status and int(status[1]) in self.expected):
            self.troubles.append(f"{message.location.get('url', '')}: {message.text}")

    def _on_dialog(self, dialog: Dialog) -> None:
        self.troubles.append(f"a dialog opened: {dialog.message}")
        dialog.dismiss()


@dataclass
class Visits:
    """Opens pages of the world as one person or another; every page is watched."""

    browser: Browser
    server: Server
    world: World
    watch: Watch
    contexts: list[BrowserContext] = field(default_factory=list)

    def as_(
        self,
        person: str = "owner",
        *,
        size: tuple[int, int] = WIDE,
        scheme: Scheme = "light",
        has_scripts: bool = True,
        is_touched: bool = False,
    ) -> Page:
        """A fresh window of a signed-in person; of nobody where `person` is empty."""
        context = self.browser.new_context(
            base_url=self.server.url,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            java_script_enabled=has_scripts,
            is_mobile=is_touched,
            reduced_motion="reduce",
        )
        self.contexts.append(context)
        context.set_default_timeout(15_000)
        context.add_init_script(TELL_VIOLATIONS)
        if person:
            cookie = {"name": "sessionid", "value": self.world.sessions[person], "url": self.server.url}
            context.add_cookies([cookie])  # type: ignore[list-item]
        return self.watch.follow(context.new_page())

    def claim(self, project: str, key: str = "claim") -> str:
        """The address of a claim of a project."""
        return f"/p/{self.world.slugs[project]}/claims/{self.world.ids[f'{project}-{key}']}/"

    def close(self) -> None:
        """Close every window."""
        for context in self.contexts:
            context.close()


def keys_are_live(page: Page) -> None:
    """Wait until the pause after a new claim is over."""
    page.wait_for_function("performance.now() > 0")
    page.wait_for_timeout(650)


def focused(page: Page) -> Mapping[str, str]:
    """Tag, class and text of the element that has the focus."""
    found: Mapping[str, str] = page.evaluate(
        "() => { const e = document.activeElement;"
        " return { tag: e.tagName, classes: e.className, text: e.textContent.trim() } }"
    )
    return found
