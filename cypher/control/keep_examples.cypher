// Keep the texts of the topic that the graph is crawled for
// mode: write
// params: $examples STRING names and texts, as JSON; null: there is no topic
// returns: nothing
// source: [002.similarity]
MATCH (m:Meta) USING INDEX m:Meta(graph) WHERE m.graph IS NOT NULL
SET m.topicExamples = $examples
