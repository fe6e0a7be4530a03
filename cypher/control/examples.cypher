// The texts of the topic that the graph is crawled for
// mode: read
// params: none
// returns: examples, names and texts as JSON, or null
// source: [002.similarity]
OPTIONAL MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
RETURN m.topicExamples AS examples
