"""Tasks on recorded webs: topics by example pages, and terms."""

import numpy as np
import scipy.sparse as sp

from ordering.web import TERM_BITS, Floats, Ints, Web, hashed, words_of

TYPICAL = 0.8  # worth of a page as near to the examples as they are to each other


def tfidf(web: Web) -> tuple[sp.csr_matrix, Floats]:
    """Return the pages' vectors, of length one, and the terms' weights."""
    shape = len(web), 1 << TERM_BITS
    counts = sp.csr_matrix((web.counts.astype(float), web.terms, web.term_first), shape=shape)
    there = np.bincount(web.terms, minlength=shape[1])
    idf = np.log((1 + len(web)) / (1 + there)) + 1
    idf[there > len(web) * 0.3] = 0.0  # what stands everywhere says nothing: stop words
    return weighed(counts, idf), idf


def weighed(counts: sp.csr_matrix, idf: Floats) -> sp.csr_matrix:
    """Return TF-IDF vectors of length one; term frequency by its logarithm."""
    counts.data = 1 + np.log(np.maximum(counts.data, 1))
    vectors = (counts @ sp.diags(idf)).tocsr()
    norm = np.sqrt(np.asarray(vectors.multiply(vectors).sum(1)).ravel())
    return (sp.diags(1 / np.maximum(norm, 1e-12)) @ vectors).tocsr()


def table_vectors(texts: list[str], idf: Floats) -> sp.csr_matrix:
    """Return the vectors of short texts."""
    mask = (1 << TERM_BITS) - 1
    rows = [[hashed(word) & mask for word in words_of(text)] for text in texts]
    first = np.cumsum([0, *map(len, rows)])
    terms = np.array([term for row in rows for term in row], np.int64)
    counts = sp.csr_matrix((np.ones(len(terms)), terms, first), shape=(len(texts), len(idf)))
    counts.sum_duplicates()
    return weighed(counts, idf)


def topic_of(vectors: sp.csr_matrix, examples: Ints) -> Floats:
    """Return the mean vector of some pages, of length one."""
    mean = np.asarray(vectors[examples].mean(0)).ravel()
    return mean / max(float(np.linalg.norm(mean)), 1e-12)


def nearness(vectors: sp.csr_matrix, examples: Ints) -> float:
    """Return how near examples are to each other: mean similarity to the topic of the others."""
    found = []
    for example in examples:
        others = examples[examples != example]
        found.append(float((vectors[[example]] @ topic_of(vectors, others))[0]))
    return float(np.mean(found))


def calibrated(sim: Floats, typical: float) -> Floats:
    """Return worths: the median page has 0, one as near as the examples to each other 0.8."""
    low = float(np.median(sim))
    return np.clip(TYPICAL * (sim - low) / max(typical - low, 1e-6), 0.0, 1.0)


def promises(similarity: Floats, typical: float) -> Floats:
    """Return topic hints of links as `scoring.topic.Topic.hint` does: by what a page has."""
    return np.minimum(similarity / max(typical, 0.02), 1.0)
