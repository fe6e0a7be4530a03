"""Drives Neo4j Browser in a headless Chromium, for its test and for the pictures of the docs.

Run it to take those pictures, of a demo crawl:

    graphcrawl demo
    graphcrawl browse --graph demo --no-open --json | python tests/e2e/in_browser.py docs/images
"""

import asyncio
import base64
import json
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

PATIENCE_MS = 60_000
HERE = ("http://127.0.0.1:", "http://localhost:", "ws://127.0.0.1:", "data:", "blob:")
# Browser takes files by dropping them; a test has to make the drop itself.
DROP = """([name, data]) => {
  const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  const target = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  for (const kind of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(new DragEvent(
      kind, {dataTransfer: transfer, bubbles: true, cancelable: true}));
}"""


def chromium() -> str | None:
    """Return the Chromium of this machine."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@asynccontextmanager
async def page(width: int = 1400, height: int = 1000) -> AsyncIterator[Any]:
    """Open an empty page that reaches nothing but this machine."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox"]
        )
        try:
            opened = await browser.new_page(viewport={"width": width, "height": height})
            opened.set_default_timeout(PATIENCE_MS)
            await opened.route(lambda url: not url.startswith(HERE), lambda route: route.abort())
            yield opened
        finally:
            await browser.close()


async def sign_in(page: Any, url: str, password: str) -> None:
    await page.goto(url)
    await page.get_by_test_id("password").fill(password)
    await page.get_by_test_id("connect").click()
    await page.get_by_text("You are connected as user").first.wait_for()


async def drop(page: Any, file: Path) -> None:
    await page.evaluate(DROP, [file.name, base64.b64encode(file.read_bytes()).decode()])


async def press(locator: Any) -> None:
    """Click what Browser draws again while it is clicked: the sidebar is slid in."""
    await locator.first.evaluate("element => element.click()")


async def open_favourites(page: Any) -> list[str]:
    """Open the folder of our favourites and return their titles."""
    await page.get_by_test_id("navigationFavorites").click()
    await press(page.get_by_test_id("savedScriptsFolder-graphcrawl").get_by_text("graphcrawl"))
    titles = page.locator("[data-testid='savedScriptListItem'] [data-testid^='scriptTitle-']")
    await titles.first.wait_for()
    ids = [await title.get_attribute("data-testid") for title in await titles.all()]
    return [name.removeprefix("scriptTitle-") for name in ids if name]


async def run_favourite(page: Any, title: str) -> list[dict[str, Any]]:
    """Press a favourite's triangle and return the circles that are drawn: fill, radius."""
    await page.evaluate("document.querySelectorAll('[title=Close]').forEach(b => b.click())")
    item = page.get_by_test_id("savedScriptListItem").filter(
        has=page.get_by_test_id(f"scriptTitle-{title}")
    )
    await press(item.get_by_test_id("savedScriptsButton-Run"))
    await page.locator("svg circle.b-outline").first.wait_for()
    found: list[dict[str, Any]] = await page.evaluate(
        """() => [...document.querySelectorAll('svg circle.b-outline')].map(
             c => ({fill: c.getAttribute('fill'), radius: +c.getAttribute('r')}))"""
    )
    return found


async def take_pictures(folder: Path, shown: dict[str, str]) -> None:
    """Write the pictures of the docs from what `graphcrawl browse --json` printed."""
    from graphcrawl import saved_queries

    password = Path(shown["password_file"]).read_text(encoding="utf-8").strip()
    async with page() as opened:
        await sign_in(opened, shown["browser_url"], password)
        await drop(opened, Path(shown["style_file"]))
        await drop(opened, Path(shown["favourites_file"]))
        await open_favourites(opened)
        for name in ("feeds", "feeders", "paths_to_rewards"):
            title = saved_queries.find(name).title
            print(name, len(await run_favourite(opened, title)), "nodes")
            whole = name != "feeds"  # this one shows the sidebar too
            if whole:
                await press(opened.get_by_test_id("frame").first.get_by_title("Fullscreen"))
            await opened.wait_for_timeout(8_000)  # until the drawing has come to rest
            await press(opened.locator("[aria-label='zoom-to-fit']"))
            await opened.wait_for_timeout(1_500)
            await opened.screenshot(path=folder / f"browser-{name.replace('_', '-')}.png")
            if whole:
                await press(opened.get_by_title("Close fullscreen"))


if __name__ == "__main__":
    asyncio.run(take_pictures(Path(sys.argv[1]), json.load(sys.stdin)))
