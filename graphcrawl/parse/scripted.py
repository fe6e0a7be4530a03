"""Is a page empty until its scripts have run? Such a page is none that we can read."""

import re

from graphcrawl.parse.content import Content

THIN_CHARS = 300  # visible text; more of it is worth reading
FEW_LINKS = 3

# "Please enable JavaScript", in any language: said in <noscript> or in the page itself.
_ASKS_FOR_SCRIPTS = re.compile(
    r"<noscript\b[^>]*>(?:(?!</noscript).){0,2000}?(?:java[\s-]?script|(?<![.\w])js\b)",
    re.I | re.S,
)
# What frameworks fill: an element by one of their names with nothing in it but a sign of waiting.
_EMPTY_ROOT = re.compile(
    r"<(\w+)\b[^>]*\bid\s*=\s*[\"']?(?:root|app|application|main|mount|container|__next|__nuxt"
    r"|___gatsby|q-app|svelte|react[\w-]*|vue[\w-]*|ember[\w-]*|ng-app|app[-_]root|root[-_]app)"
    r"[\"']?(?=[\s>/])[^>]*>\s*(?:<!--.{0,200}?-->\s*)*</\1"
    r"|<(app-root|app|my-app|ng-app|[a-z]+-app|[a-z]+-root)\b[^>]*>\s*(?:[^<]{0,100})</\2",
    re.I | re.S,
)
_WAITS = re.compile(
    r"\W*(?:\w+\W+){0,6}(?:loading|loads?|wait|lädt|laden|geladen|moment|chargement|cargando"
    r"|carregando|caricamento|ładowanie|загрузка|redirect\w*)(?:\W+\w+){0,6}\W*",
    re.I,
)
_SAYS_SCRIPTS = re.compile(r"java\s?script", re.I)


def needs_script(markup: str, content: Content) -> bool:
    """Tell whether a page shows nothing, or next to nothing, without scripts.

    It has scripts, less than 300 characters of visible text, at most three links, no form to fill
    in and no frame, and one of these holds: no text at all; text that asks for scripts or says that
    something loads; a `noscript` that asks for scripts; an empty element that frameworks fill. A
    short page with a counter on it is none of these.

    Source: ours; the names of elements are the defaults of create-react-app, Vue, Next, Nuxt,
    Gatsby, Angular, Quasar and Svelte.

    Args:
        markup: The page as HTML.
        content: What was read from it.
    """
    text = content.text
    if not content.scripts or len(text) >= THIN_CHARS or len(content.found) > FEW_LINKS:
        return False
    if content.fields or content.frames:
        return False
    return (
        not text
        or _WAITS.fullmatch(text) is not None
        or _SAYS_SCRIPTS.search(text) is not None
        or _EMPTY_ROOT.search(markup) is not None
        or _ASKS_FOR_SCRIPTS.search(markup) is not None
    )
