// Count distributions: the clock by which a newborn's age is told
// mode: write
// params: $iterations INTEGER distributions just done
// returns: distributions so far
// source: [000.newborn] [000.prune]
MATCH (m:Meta)
SET m.distributions = coalesce(m.distributions, 0) + $iterations
RETURN m.distributions AS distributions
