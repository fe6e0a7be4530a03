"""The quality scorer: how good a page will be, told from links to it, learned while crawling.

Source: [004.features], [004.score], [004.stats].
"""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graphcrawl.scoring.candidate import Candidate
from graphcrawl.scoring.features import NAMED, SLOTS, Feature, features_of
from graphcrawl.scoring.statistics import Vectors, added, pack, unpack

KIND = "quality"
VERSION = 1  # of what the statistics mean; others are refused
PRIOR = 0.5  # of a prediction while it is not trusted
L2 = 1e-4  # of a weight, at each lesson that it has a part in
HOSTS = 2**16  # slots of hosts' records
HOST_PRIOR = 2.0  # pages: so much does the prior weigh in a host's record
BUCKETS = 10  # of the calibration table
_STEEP = 30.0  # log odds beyond which nothing changes

Rule = Literal["logistic", "source"]
