import json

from sleuth import Agent, tool
from sleuth.models.scripted import Scripted


@tool
def stock(article: str) -> str:
    """How many pieces of an article lie in the warehouse. NOT for orders or prices."""
    return json.dumps({"article": article, "pieces": 12})


# A model that says what it is told: a tool can be tested without a model, a key or a network.
looks = {"thought": "Parts: the stock of bolts.", "calls": [{"part": "bolts", "tool": "stock", "args": {"article": "bolt"}}]}
ends = {"thought": "That is all.", "finish": "answer"}
says = {"found": True, "claims": [{"text": "There are 12 bolts.", "evidence": [1]}]}

with Agent(Scripted([json.dumps(looks), json.dumps(ends), json.dumps(says)]), tools=[stock]) as agent:
    answer = agent.ask("How many bolts are there?")

print(answer.text)
print(answer.cited[0].text)
