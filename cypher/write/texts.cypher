// Keep the texts of pages, beside their neurons
// mode: write
// params: $texts LIST<MAP> url, title, text (its main text), visible (all its visible text)
// returns: nothing
// source: [003.index]
UNWIND $texts AS row
MATCH (p:PageNeuron {url: row.url})
MERGE (p)-[:HAS_TEXT]->(x:PageText)
SET x.title = row.title, x.text = row.text, x.visible = row.visible
