// Delete a host and its rules of robots
// mode: write
// params: $hosts LIST<STRING> host keys and names for many, or none
//         $origins LIST<STRING> of the host
// returns: nothing
// source: requests for deletion
CALL () { UNWIND $hosts AS name MATCH (h:Host {name: name}) DETACH DELETE h }
CALL () { UNWIND $origins AS key MATCH (o:Origin {key: key}) DETACH DELETE o }
