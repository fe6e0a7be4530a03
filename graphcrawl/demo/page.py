"""HTML that people like to look at: one page frame, one style sheet, small pieces."""

from collections.abc import Iterable
from html import escape
from random import Random

from graphcrawl.demo.model import Resource, Role, Site

_STYLE = """
:root { --ink: hsl(HUE 30% 14%); --soft: hsl(HUE 14% 42%); --line: hsl(HUE 22% 88%);
  --tint: hsl(HUE 46% 96%); --accent: hsl(HUE 62% 36%); --deep: hsl(HUE 48% 22%); }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff; line-height: 1.6;
  font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 16px; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
.skip { position: absolute; left: -99em; } .skip:focus { left: 1em; }
header, main, footer > div { max-width: 1080px; margin: 0 auto; padding: 0 1.5rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 2rem;
  padding-block: 1.1rem; }
.brand { font-weight: 700; font-size: 1.3rem; color: var(--deep); text-decoration: none; }
.brand::before { content: ""; display: inline-block; width: .85em; height: .85em;
  margin-right: .5em; border-radius: 50% 50% 50% 0; background: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; margin-left: auto; }
nav a { color: var(--ink); text-decoration: none; } nav a:hover { color: var(--accent); }
.hero { color: #fff; background: var(--deep); position: relative; overflow: hidden; }
.hero svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.hero div { position: relative; max-width: 1080px; margin: 0 auto; padding: 3.2rem 1.5rem; }
.hero h1 { font-size: 2.4rem; margin: 0; } .hero p { font-size: 1.15rem; margin: .4rem 0 0; }
main { display: grid; grid-template-columns: minmax(0, 1fr) 250px; gap: 3rem;
  padding-block: 1.6rem 3rem; }
main.wide { grid-template-columns: minmax(0, 1fr); }
h1 { line-height: 1.2; font-size: 2rem; margin: .6rem 0 .8rem; color: var(--deep); }
.hero h1 { color: #fff; } h2 { margin: 2rem 0 .6rem; font-size: 1.3rem; color: var(--deep); }
article p { max-width: 68ch; } .meta { color: var(--soft); font-size: .9rem; }
aside { font-size: .92rem; border-left: 3px solid var(--line); padding-left: 1.3rem;
  align-self: start; } aside h2 { font-size: 1rem; margin: 1rem 0 .3rem; }
ul.plain { list-style: none; padding: 0; margin: 0; } ul.plain li { margin: .3rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(215px, 1fr));
  gap: 1rem; padding: 0; margin: 1rem 0; list-style: none; }
.cards li { background: var(--tint); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem 1.1rem; } .cards a { font-weight: 600; text-decoration: none; }
.cards small, .rows small { display: block; color: var(--soft); font-size: .88rem; }
.rows { padding: 0; list-style: none; margin: 1rem 0; }
.rows li { border-top: 1px solid var(--line); padding: .75rem 0; } .rows a { font-weight: 600; }
table { border-collapse: collapse; margin: 1rem 0; } th { text-align: left; font-weight: 600; }
td, th { padding: .35rem 1.4rem .35rem 0; border-bottom: 1px solid var(--line); }
.call { background: var(--tint); border-left: 4px solid var(--accent); padding: .8rem 1.2rem;
  margin: 1.4rem 0; border-radius: 0 8px 8px 0; }
footer { background: var(--tint); border-top: 1px solid var(--line); font-size: .9rem; }
footer > div { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; padding-block: 1.4rem;
  color: var(--soft); } footer a { color: var(--soft); }
.blog article, .club article { font-family: Charter, Georgia, "DejaVu Serif", serif;
  font-size: 1.06rem; }
.manual main { grid-template-columns: 230px minmax(0, 1fr); } .manual aside { order: -1; }
@media (max-width: 760px) { main, .manual main { grid-template-columns: minmax(0, 1fr); } }
"""


def page(
    site: Site,
    title: str,
    content: str,
    *,
    aside: str = "",
    hero: str = "",
    alternates: Iterable[tuple[str, str, str]] = (),
    language: str = "en",
    status: int = 200,
    delay_s: float = 0.0,
    role: Role = "page",
) -> Resource:
    """Frame content as a page of the site.

    Args:
        site: Whose navigation, footer and colours to use.
        title: The page's title, as plain text.
        content: HTML of the main column.
        aside: HTML of the second column; without it the main column is wide.
        hero: HTML of the banner across the page, see `banner`.
        alternates: (path, media type, title) of feeds to name in the head.
        language: Of the content.
        status: Of the answer.
        delay_s: Before the answer.
        role: What the page is to a crawl.
    """
    full_title = title if title == site.name else f"{title} · {site.name}"
    heads = "".join(
        f'<link rel="alternate" type="{kind}" title="{escape(label)}" href="{escape(path)}">\n'
        for path, kind, label in alternates
    )
    column = f"<aside>\n{aside}</aside>\n" if aside else ""
    html = f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(full_title)}</title>
<link rel="stylesheet" href="/style.css">
{heads}</head>
<body class="{site.kind}">
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="/">{escape(site.name)}</a>
<nav>
{"".join(link(path, label) + chr(10) for path, label in site.nav)}</nav>
</header>
{hero}<main id="main"{"" if aside else ' class="wide"'}>
<article>
{content}</article>
{column}</main>
<footer><div>
<span>{escape(site.name)}: {escape(site.motto)}</span>
{"".join(link(path, label) + chr(10) for path, label in site.foot)}</div></footer>
</body>
</html>
"""
    return Resource(html.encode(), status=status, delay_s=delay_s, role=role)


def style(site: Site) -> Resource:
    """Return the site's style sheet, in its colour."""
    css = _STYLE.replace("HUE", str(site.hue)).lstrip()
    return Resource(css.encode(), "text/css; charset=utf-8", role="aside")


def robots(*closed: str) -> Resource:
    """Return a robots.txt that closes the given path prefixes to everyone."""
    lines = ["User-agent: *", *(f"Disallow: {prefix}" for prefix in closed), ""]
    return Resource("\n".join(lines).encode(), "text/plain; charset=utf-8", role="aside")


def redirect(location: str, status: int = 302) -> Resource:
    """Return an answer that names another URL."""
    body = f"<!DOCTYPE html><title>Moved</title><p>Moved to {link(location, location)}."
    return Resource(body.encode(), status=status, location=location)


def link(href: str, text: str, rel: str = "") -> str:
    """Return an anchor; `href` and `text` are plain text."""
    extra = f' rel="{rel}"' if rel else ""
    return f'<a href="{escape(href)}"{extra}>{escape(text)}</a>'


def rows(items: Iterable[tuple[str, str, str]], kind: str = "rows") -> str:
    """Return a list of (href, text, small print), as `rows` or as `cards`."""
    lines = "".join(f"<li>{link(h, t)}<small>{escape(s)}</small></li>\n" for h, t, s in items)
    return f'<ul class="{kind}">\n{lines}</ul>\n'


def links(items: Iterable[tuple[str, str]]) -> str:
    """Return a plain list of (href, text)."""
    lines = "".join(f"<li>{link(href, text)}</li>\n" for href, text in items)
    return f'<ul class="plain">\n{lines}</ul>\n'


def paragraphs(*texts: str) -> str:
    """Return plain texts as paragraphs."""
    return "".join(f"<p>{escape(text)}</p>\n" for text in texts)


def banner(rng: Random, site: Site, heading: str, line: str) -> str:
    """Return a banner with a drawn landscape in the site's colour."""
    hills = []
    for layer in range(3):
        lightness, y = 26 + 7 * layer, 92 + 30 * layer
        bend = [rng.randint(-42, 42) for _ in range(2)]
        hills.append(
            f'<path fill="hsl({site.hue + 14 * layer} 45% {lightness}%)" '
            f'd="M0 {y} C200 {y + bend[0]} 300 {y - bend[0]} 500 {y} '
            f'S800 {y + bend[1]} 1000 {y} V200 H0Z"/>'
        )
    sun = f'<circle cx="{rng.randint(640, 930)}" cy="{rng.randint(64, 82)}" r="24" '
    sun += f'fill="hsl({(site.hue + 190) % 360} 70% 74%)"/>'
    drawing = "".join(hills)
    return (
        f'<div class="hero"><svg viewBox="0 0 1000 200" preserveAspectRatio="xMidYMax slice" '
        f'aria-hidden="true">{sun}{drawing}</svg>'
        f"<div><h1>{escape(heading)}</h1><p>{escape(line)}</p></div></div>\n"
    )
