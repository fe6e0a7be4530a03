// Which Graph Data Science the server has; an error where it has none
// mode: read
// params: none
// returns: version
// source: [000.distribute]
RETURN gds.version() AS version
