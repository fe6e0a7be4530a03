// Hosts and rules of robots that are to be forgotten
// mode: read
// params: $hosts LIST<STRING> host keys and names for many, or none
//         $origins LIST<STRING> of the host
// returns: hosts and origins, how many
// source: requests for deletion
CALL () { UNWIND $hosts AS name MATCH (h:Host {name: name}) RETURN count(h) AS hosts }
CALL () { UNWIND $origins AS key MATCH (o:Origin {key: key}) RETURN count(o) AS origins }
RETURN hosts, origins
