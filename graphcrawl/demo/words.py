"""The vocabulary of the generated web: names, trades, topics, and prose in four languages.

No sentence here holds a word that the `jobs` rules pay for; pages about work add those themselves.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

CITIES = (
    *("Aarhus", "Antwerp", "Bologna", "Bristol", "Cork", "Ghent", "Girona", "Graz", "Leipzig"),
    *("Leuven", "Lille", "Linz", "Malmo", "Nantes", "Porto", "Tampere", "Trieste", "Utrecht"),
)
_NAME_STARTS = (
    *("Alder", "Amber", "Ash", "Birch", "Copper", "Cedar", "East", "Elm", "Falcon", "Fern"),
    *("Flint", "Granite", "Harbour", "Hazel", "Heron", "Iron", "Juniper", "Kestrel", "Lark"),
    *("Linden", "Maple", "North", "Oak", "Otter", "Pine", "Quarry", "River", "Rowan", "Silver"),
    *("South", "Stone", "Summer", "Swan", "Thistle", "Tide", "West", "Willow", "Winter", "Yarrow"),
)
_NAME_ENDS = (
    *("brook", "bridge", "croft", "dale", "field", "ford", "gate", "haven", "hill", "holm"),
    *("lea", "mark", "mere", "mill", "moor", "point", "ridge", "stead", "ton", "wick", "yard"),
)


@dataclass(frozen=True, slots=True)
class Trade:
    """What a company does, and whom it looks for."""

    name: str
    motto: str
    offers: tuple[str, ...]
    roles: tuple[str, ...]


TRADES = (
    Trade(
        "Bakery",
        "Bread that takes its time.",
        ("Sourdough loaves", "Wedding cakes", "Deliveries to cafés", "Baking classes"),
        ("Baker", "Pastry chef", "Shop assistant", "Delivery driver", "Shift supervisor"),
    ),
    Trade(
        "Logistics",
        "From the quay to your door.",
        ("Road freight", "Cold storage", "Customs papers", "Night express"),
        ("Truck driver", "Warehouse planner", "Customs clerk", "Fleet mechanic", "Dispatcher"),
    ),
    Trade(
        "Software",
        "Quiet tools for busy teams.",
        ("Accounting in the browser", "Route planning", "Data migration", "Support contracts"),
        (
            "Backend developer",
            "Test engineer",
            "Product designer",
            "Support engineer",
            "Data analyst",
        ),
    ),
    Trade(
        "Clinic",
        "Care close to home.",
        ("Day surgery", "Physiotherapy", "Family practice", "Home visits"),
        ("Ward nurse", "Physiotherapist", "Laboratory technician", "Receptionist", "Night porter"),
    ),
    Trade(
        "Engineering",
        "Machines that outlive their drawings.",
        ("Pump stations", "Custom gears", "Maintenance on site", "Spare parts"),
        ("Machinist", "Welder", "Design engineer", "Service technician", "Buyer"),
    ),
    Trade(
        "Energy",
        "Power from wind, water and patience.",
        ("Small hydro plants", "Wind farm upkeep", "Grid studies", "Heat pumps"),
        ("Electrician", "Turbine technician", "Project lead", "Grid planner", "Surveyor"),
    ),
    Trade(
        "Hotels",
        "Rooms with a view and no hurry.",
        ("Seaside rooms", "Conference halls", "Kitchen garden", "Boat trips"),
        ("Cook", "Night manager", "Housekeeper", "Gardener", "Waiter"),
    ),
)


@dataclass(frozen=True, slots=True)
class Topic:
    """A field that a blog, shop, manual or club is about."""

    name: str
    things: tuple[str, ...]
    deeds: tuple[str, ...]
    looks: tuple[str, ...]


TOPICS = (
    Topic(
        "baking",
        (
            "rye loaf",
            "starter",
            "oven stone",
            "brioche",
            "proofing basket",
            "plum tart",
            "bread tin",
        ),
        ("kneading", "proofing", "scoring", "glazing", "weighing"),
        ("crisp", "slow", "golden", "sour", "stubborn"),
    ),
    Topic(
        "cycling",
        ("steel frame", "saddle bag", "front light", "coast road", "chain ring", "wool jersey"),
        ("climbing", "truing", "packing", "braking", "coasting"),
        ("light", "muddy", "squeaky", "steady", "windy"),
    ),
    Topic(
        "gardening",
        ("tomato bed", "pear tree", "compost heap", "cold frame", "dahlia", "rain barrel", "hedge"),
        ("pruning", "sowing", "mulching", "watering", "grafting"),
        ("shady", "early", "hardy", "sprawling", "sandy"),
    ),
    Topic(
        "woodwork",
        ("oak stool", "hand plane", "dovetail", "workbench", "spoon blank", "marking gauge"),
        ("sawing", "planing", "sanding", "oiling", "carving"),
        ("square", "knotty", "sharp", "plain", "warped"),
    ),
    Topic(
        "music",
        ("viola", "choir", "metronome", "string quartet", "practice room", "old score", "bow"),
        ("tuning", "rehearsing", "singing", "counting", "arranging"),
        ("warm", "quiet", "brisk", "solemn", "crooked"),
    ),
    Topic(
        "hiking",
        ("ridge path", "rain jacket", "mountain hut", "map case", "pine forest", "ferry", "stove"),
        ("walking", "camping", "sketching", "resting", "wading"),
        ("steep", "foggy", "lonely", "gentle", "stony"),
    ),
    Topic(
        "databases",
        ("index", "query plan", "backup", "write-ahead log", "schema", "replica", "cache"),
        ("indexing", "vacuuming", "sharding", "restoring", "sorting"),
        ("consistent", "stale", "narrow", "durable", "lazy"),
    ),
    Topic(
        "chess",
        ("rook ending", "opening book", "club evening", "pawn chain", "clock", "passed pawn"),
        ("castling", "pinning", "analysing", "sacrificing", "waiting"),
        ("sharp", "drawn", "cramped", "classical", "tricky"),
    ),
)

_SENTENCES = (
    "The {look} {thing} taught me more than any book did.",
    "Start with {deed}, and leave the {thing} for the second day.",
    "Nobody warns you how {look} a {thing} can be after a week of rain.",
    "In {city} they still do it the old way, with one {thing} and a lot of tea.",
    "I measured it twice: {deed} takes {number} minutes, no more.",
    "A neighbour lent me a {thing}; it came back {look}.",
    "If the {thing} looks {look}, stop and begin again.",
    "Most of the trouble with {deed} is really trouble with patience.",
    "We compared {number} kinds of {thing} and liked the cheapest best.",
    "There is a {look} corner behind the station in {city} where you can see one.",
    "My notes from {year} say the opposite, and they were wrong.",
    "Good {deed} is mostly listening.",
    "The second {thing} was better than the first, but only just.",
    "Some people prefer a {look} {thing}, and they have their reasons.",
    "Keep the {thing} away from the window, above all in {month}.",
    "What changed since last {month}? Less {deed}, more sleep.",
    "Three readers from {city} wrote in about {deed}, all of them cheerful.",
    "You will need one {thing}, a pencil and an unhurried afternoon.",
)
_TITLES = (
    "{deed} with a {look} {thing}",
    "From {city}: the {thing} in {month}",
    "The {look} {thing} of {city}",
    "{number} minutes of {deed}",
    "Before {deed}: check the {thing}",
    "{month}, a {look} month for {deed}",
    "On {deed} in {month}",
    "A {look} {thing}",
    "What the {thing} taught us",
    "{number} notes about {deed}",
    "The {thing} question",
    "{deed}, slowly",
    "Back from {city} with a {thing}",
    "Why your {thing} is {look}",
)
_BUSINESS = (
    "{offer} is what most of our customers ask for first.",
    "We have worked in {city} for {number} years and know every back door there.",
    "Since {month}, {offer} comes with a fixed price.",
    "Every morning begins with a list, and every evening ends with an empty one.",
    "If something goes wrong, you talk to the person who did it.",
    "Our branch in {city} has moved two streets further and got a bigger door.",
    "Half of our orders come from people who were here before.",
    "Ask for {offer} before noon, and you have an answer the same day.",
    "In {year} we were {number} people round one table; the table is still in use.",
    "We do not advertise {offer} much, because word gets around.",
)
_NEWS = (
    "{firm} opens in {city}",
    "{offer}: now in {city} as well",
    "{number} years of {firm}",
    "What we learned in {month}",
    "New prices for {offer}",
    "{firm} at the fair in {city}",
)
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
FOREIGN = {
    "de": (
        "Der Regen kam früher als erwartet, und wir blieben in der Werkstatt.",
        "Am Sonntag öffnet der kleine Laden hinter dem Bahnhof schon um acht.",
        "Wer langsam beginnt, macht am Ende weniger Fehler.",
        "Im Garten blühen die ersten Kirschen, und die Bienen sind schon da.",
        "Das alte Werkzeug meiner Großmutter ist noch immer das beste.",
        "Über die Brücke sind es zehn Minuten bis zum Markt.",
    ),
    "fr": (
        "La pluie est arrivée plus tôt que prévu et nous sommes restés à l’atelier.",
        "Le dimanche, la petite boutique derrière la gare ouvre dès huit heures.",
        "Celui qui commence lentement fait moins d’erreurs à la fin.",
        "Les premiers cerisiers fleurissent et les abeilles sont déjà là.",
        "Le vieux couteau de ma grand-mère reste le meilleur.",
        "Après le pont, il faut dix minutes pour aller au marché.",
    ),
    "es": (
        "La lluvia llegó antes de lo previsto y nos quedamos en el taller.",
        "Los domingos la pequeña tienda detrás de la estación abre a las ocho.",
        "Quien empieza despacio comete menos errores al final.",
        "Ya florecen los primeros cerezos y las abejas han vuelto.",
        "El viejo cuchillo de mi abuela sigue siendo el mejor.",
        "Desde el puente hay diez minutos hasta el mercado.",
    ),
}


def names(rng: Random, count: int) -> list[str]:
    """Return `count` different names such as `Rivermill`; numbered once the pairs run out."""
    pairs = [start + end for start in _NAME_STARTS for end in _NAME_ENDS]
    rng.shuffle(pairs)
    rounds = range(1 + count // len(pairs))
    return [pair + (str(n + 1) if n else "") for n in rounds for pair in pairs][:count]


def title(rng: Random, topic: Topic) -> str:
    """Return a headline about the topic."""
    text = _fill(rng, topic, rng.choice(_TITLES))
    return text[0].upper() + text[1:]


def paragraph(rng: Random, topic: Topic, sentences: int = 4) -> str:
    """Return a paragraph of different English sentences about the topic."""
    return " ".join(_fill(rng, topic, s) for s in rng.sample(_SENTENCES, sentences))


def business(rng: Random, trade: Trade, sentences: int = 3) -> str:
    """Return a paragraph that a company of this trade writes about itself."""
    return " ".join(_say(rng, trade, "", s) for s in rng.sample(_BUSINESS, sentences))


def headline(rng: Random, trade: Trade, firm: str) -> str:
    """Return the title of a piece of company news."""
    return _say(rng, trade, firm, rng.choice(_NEWS))


def foreign(rng: Random, language: str, sentences: int = 4) -> str:
    """Return a paragraph in `de`, `fr` or `es`."""
    return " ".join(rng.sample(FOREIGN[language], sentences))


def slug(text: str) -> str:
    """Return the text as a path segment: lower case, words joined by hyphens."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def _say(rng: Random, trade: Trade, firm: str, pattern: str) -> str:
    return pattern.format(
        firm=firm,
        offer=rng.choice(trade.offers),
        city=rng.choice(CITIES),
        month=rng.choice(MONTHS),
        number=rng.randint(11, 49),
        year=rng.randint(1962, 2015),
    )


def _fill(rng: Random, topic: Topic, pattern: str) -> str:
    def one(options: Sequence[str]) -> str:
        return rng.choice(options)

    text = pattern.format(
        thing=one(topic.things),
        deed=one(topic.deeds),
        look=one(topic.looks),
        city=one(CITIES),
        month=one(MONTHS),
        number=rng.randint(3, 29),
        year=rng.randint(2012, 2025),
    )
    return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
