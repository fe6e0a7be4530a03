"""XML job feeds: recognised by what is in them, whatever the server calls them.

A document is a job feed when it has records in one of five forms and at least half of them are
jobs:

| form | records |
|---|---|
| `source-job` | `job` below a root `source` (Indeed, LinkedIn and their like) |
| `jobs-job` | `job`, `position`, `vacancy` … elsewhere (Adzuna, Personio and their like) |
| `hr-xml` | `PositionOpening`, `JobPositionPosting` … (HR Open Standards) |
| `rss` | `item` of RSS 0.9 to 2.0 |
| `atom` | `entry` of Atom |

A `job` record is a job when it has a title and one field more that postings have; where the title
is but a `name`, the field must be one that only jobs have, or a company: build jobs and print jobs
have neither. Without a title it needs three fields, one of them of that kind. An RSS item or Atom
entry is a job when it has a field that only jobs have (a job type, a salary, an employer …), one
from a namespace of jobs, or a company **and** a place with nothing of a product, a house or an
event beside them (a price, a venue …).

Source: [000.evaluate]; field names from the feed formats of Indeed, LinkedIn, Adzuna, Google Base,
Personio and WP Job Manager; HR-XML 2.x.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree

from graphcrawl.models import JobFeed
from graphcrawl.parse import kind_of
from graphcrawl.parse.charset import decode
from graphcrawl.parse.hints import feed_hint
from graphcrawl.parse.xml import element_text, inflate, local_name, parse_xml

__all__ = ["feed_hint", "recognise", "recognise_tree"]

RECOGNISE_BYTES = 2**20

_RECORDS = frozenset(
    "job position vacancy jobposting joboffer jobad joblisting stelle stellenangebot".split()
)
_HR_XML = frozenset("positionopening jobpositionposting jobpositionrequisition".split())
_FEED_RECORDS = {"item": "rss", "entry": "atom"}
_NAMES_OF_FEED = frozenset({"title", "publisher"})

# Names of fields, in lower case and without `-`, `_` and `.`.
_TITLE = frozenset("title jobtitle positiontitle".split())
_ONLY_JOBS = frozenset(
    "jobtype jobtitle jobcategory joblocation jobfunction jobindustry jobdescription jobid "
    "jobreference jobcode jobdeadline partnerjobid employmenttype employer employertype "
    "hiringorganization hiringcompany salary salaries salarymin salarymax salaryrange basesalary "
    "salarytype salarydescription contracttype contracttime experiencelevel experiencerequired "
    "immigrationstatus vacancyid vacancytype seniority remotetype applyurl applyto "
    "applicationdeadline yearsofexperience workinghours recruitingcategory "
    "occupationcategory".split()
)
_COMPANY = frozenset("company companyname organization organisation department office".split())
_PLACE = frozenset("location locations city state region country postalcode zip zipcode".split())
_POSTING = (
    frozenset(
        "referencenumber reference requisitionid education experience category expirationdate "
        "closingdate validthrough isremote date listdate url link description".split()
    )
    | _ONLY_JOBS
    | _COMPANY
    | _PLACE
)
_NO_JOB = frozenset(
    "price saleprice pricetype availability gtin mpn brand condition producttype shipping bedrooms "
    "bathrooms propertytype listingtype make model mileage vehicletype starttime venue organizer "
    "phone telephone fax openinghours".split()
)
_ENOUGH_UNTITLED = 3  # fields of a posting that has no title
_SEPARATORS = re.compile(r"[-_.]")
_OF_JOBS = re.compile(r"(?<![a-z])jobs?(?![a-z])|careers?|vacanc|hr-?xml", re.I)


def recognise(body: bytes, content_type: str = "") -> JobFeed | None:
    """Return what kind of XML job feed a body is, or None when it is none.

    Looks at content alone: packed, with a byte-order mark, under a wrong content type, cut short or
    ill formed, a feed is a feed. Records in the first MiB suffice.

    Args:
        body: As fetched.
        content_type: The Content-Type header. It decides only what the content leaves open.
    """
    media_type, _, parameters = content_type.lower().partition(";")
    charset = parameters.partition("charset=")[2].partition(";")[0]
    text, _ = decode(inflate(body)[:RECOGNISE_BYTES], charset)
    if kind_of(text, media_type.strip()) != "xml":
        return None
    return recognise_tree(parse_xml(text))


def recognise_tree(root: etree._Element | None) -> JobFeed | None:
    """Return what kind of XML job feed a parsed document is, or None when it is none."""
    if root is None:
        return None
    seen: Counter[str] = Counter()
    jobs: Counter[str] = Counter()
    for form, is_job in _records(root):
        seen[form] += 1
        jobs[form] += is_job
    for form, count in jobs.most_common(1):
        if count and count * 2 >= seen[form]:
            return JobFeed(form=form.partition(" ")[0], jobs=count, title=_title(root))
    return None


def record_names(root: etree._Element, form: str) -> frozenset[str]:
    """Return the local names, in lower case, of the elements that are a feed's jobs.

    Args:
        root: The feed, or its beginning.
        form: What it was recognised as.
    """
    if form in _FEED_RECORDS.values():
        return frozenset(name for name, of in _FEED_RECORDS.items() if of == form)
    if form == "hr-xml":
        seen = Counter(
            name for element in root.iter("*") if (name := local_name(element)) in _HR_XML
        )
        return frozenset(name for name, _ in seen.most_common(1))
    return frozenset(
        name
        for element in root.iterdescendants("*")
        if (name := local_name(element)) in _RECORDS and len(element) and _is_job_record(element)
    )


def has_records(root: etree._Element) -> bool:
    """Tell whether a document has any records, of jobs or of anything else."""
    names = _RECORDS | _HR_XML | _FEED_RECORDS.keys()
    return any(local_name(element) in names for element in root.iterdescendants("*"))


def field_name(element: etree._Element) -> str:
    """Return an element's name as fields are compared: lower case, no prefix, `-`, `_` or `.`."""
    tag = element.tag
    return _field_of(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=4096)
def _field_of(tag: str) -> str:
    return _SEPARATORS.sub("", tag.rpartition("}")[2].rpartition(":")[2].lower())


def _records(root: etree._Element) -> Iterator[tuple[str, bool]]:
    """Yield each record's form, and whether it is a job."""
    job_form = "source-job" if local_name(root) == "source" else "jobs-job"
    for element in root.iter("*"):
        name = local_name(element)
        if element is root and name not in _HR_XML:  # of HR-XML, a document may be one record
            continue
        if name in _FEED_RECORDS:
            yield _FEED_RECORDS[name], _is_job_item(element)
        elif name in _RECORDS and len(element):
            yield job_form, _is_job_record(element)
        elif name in _HR_XML:  # postings stand inside requisitions: the commonest name counts
            yield f"hr-xml {name}", len(element) > 0


def _is_job_record(record: etree._Element) -> bool:
    fields = {field_name(element) for element in record.iterchildren("*")}
    if not fields.isdisjoint(_TITLE):
        return not fields.isdisjoint(_POSTING)
    if fields.isdisjoint(_ONLY_JOBS | _COMPANY):
        return False
    return "name" in fields or len(fields & _POSTING) >= _ENOUGH_UNTITLED


def _is_job_item(item: etree._Element) -> bool:
    own = etree.QName(item).namespace
    fields: set[str] = set()
    for element in item.iterchildren("*"):
        fields.add(field_name(element))
        space, prefix = etree.QName(element).namespace or "", element.prefix or ""
        if space != own and (_OF_JOBS.search(space) or _OF_JOBS.search(prefix)):
            return True
    if not fields.isdisjoint(_ONLY_JOBS):
        return True
    has_both = not fields.isdisjoint(_COMPANY) and not fields.isdisjoint(_PLACE)
    return has_both and fields.isdisjoint(_NO_JOB)


def _title(root: etree._Element) -> str:
    records = _RECORDS | _FEED_RECORDS.keys() | _HR_XML
    for parent in (root, *root.iterchildren("*")):
        for element in parent.iterchildren("*"):
            if local_name(element) in _NAMES_OF_FEED and local_name(parent) not in records:
                return element_text(element)
    return ""
