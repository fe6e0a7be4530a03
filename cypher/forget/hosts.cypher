// Hosts and rules of robots that are to be forgotten
// mode: read
// params: $host STRING host key, or null
//         $origins LIST<STRING> of the host
// returns: hosts and origins, how many
// source: requests for deletion
CALL () { MATCH (h:Host {name: $host}) RETURN count(h) AS hosts }
CALL () { UNWIND $origins AS key MATCH (o:Origin {key: key}) RETURN count(o) AS origins }
RETURN hosts, origins
