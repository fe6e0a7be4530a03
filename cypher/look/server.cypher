// Which Neo4j this is and what its clock says
// mode: read
// params: none
// returns: version, edition, nowMs milliseconds since 1970 by the server's clock
// source: design of the command line
CALL dbms.components() YIELD name, versions, edition
WITH name, versions, edition WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition, timestamp() AS nowMs
