// Which of some hashes are of what was forgotten
// mode: read
// params: $keys LIST<STRING> hashes of URLs and host keys
// returns: key of each
// source: requests for deletion
UNWIND $keys AS key
MATCH (f:Forgotten {key: key})
RETURN f.key AS key
