// Delete a host and its rules of robots
// mode: write
// params: $host STRING host key, or null
//         $origins LIST<STRING> of the host
// returns: nothing
// source: requests for deletion
CALL () { MATCH (h:Host {name: $host}) DETACH DELETE h }
CALL () { UNWIND $origins AS key MATCH (o:Origin {key: key}) DETACH DELETE o }
