// Delete jobs
// mode: write
// params: $keys LIST<STRING> of jobs
// returns: jobs deleted
// source: requests for deletion
UNWIND $keys AS key
MATCH (j:Job {key: key})
DETACH DELETE j
RETURN count(*) AS jobs
