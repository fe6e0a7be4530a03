"""`graphcrawl check …`: looks at one thing, says all that there is to say, and writes nothing."""

import typer

from graphcrawl.cli import check_page, check_robots, check_score, check_url

app = typer.Typer(
    help="Look at one robots.txt, URL, page or link; nothing is written.", no_args_is_help=True
)
app.command("robots")(check_robots.robots)
app.command("url")(check_url.url)
app.command("page")(check_page.page)
app.command("score")(check_score.score)
