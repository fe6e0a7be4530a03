// The job feeds that were found, with the page that was paid for it
// mode: read
// params: none
// returns: url, form, jobs, reward, links (pages that link to it), foundBy
// source: [000.evaluate]
MATCH (f:JobFeed)
RETURN f.url AS url, f.feedForm AS form, f.feedJobs AS jobs, f.reward AS reward,
       f.inLinks AS links, f.foundBy AS foundBy
ORDER BY f.fetchedAt, f.url
