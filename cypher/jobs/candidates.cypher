// Find the jobs that postings may be: by the source's own id, by URL, by what is said
// mode: read
// params: $keys LIST<INTEGER> hashes of source and own id
//         $urls LIST<INTEGER> hashes of URLs
//         $same LIST<INTEGER> hashes of title, company, place and description
//         $each INTEGER jobs for one of these at most: what more share tells none from another = 20
// returns: job key, goneMs, wordedBy; known names of its properties; listings: what each source says of it, and when
// source: [000.process]
CALL () {
  UNWIND $keys AS number
  CALL (number) { MATCH ()-[l:LISTS]->(j:Job) USING INDEX l:LISTS(key) WHERE l.key = number RETURN j LIMIT $each }
  RETURN j
  UNION
  UNWIND $urls AS number
  CALL (number) { MATCH ()-[l:LISTS]->(j:Job) USING INDEX l:LISTS(urlKey) WHERE l.urlKey = number RETURN j LIMIT $each }
  RETURN j
  UNION
  UNWIND $same AS number
  CALL (number) { MATCH ()-[l:LISTS]->(j:Job) USING INDEX l:LISTS(sameAs) WHERE l.sameAs = number RETURN j LIMIT $each }
  RETURN j
}
MATCH (p:PageNeuron)-[l:LISTS]->(j) WHERE l.sameAs IS NOT NULL
RETURN j.key AS job, j.goneAt.epochMillis AS goneMs, j.wordedBy AS wordedBy, keys(j) AS known,
       collect([p.neuronId, l.key, l.urlKey, l.nameKey, l.textKey, l.digest,
                l.firstSeenAt.epochMillis, l.lastSeenAt.epochMillis, l.goneAt.epochMillis]) AS listings
